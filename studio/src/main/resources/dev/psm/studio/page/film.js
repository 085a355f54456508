// Films of a canvas as WebM, made by the browser itself.

const TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];

// Starts; `stop` on the result ends it and gives the film as a Blob.
export function film(canvas, framesPerSecond = 30) {
  const type = TYPES.find((each) => window.MediaRecorder?.isTypeSupported(each));
  if (!type) {
    throw new Error('this browser cannot record WebM');
  }
  const stream = canvas.captureStream(framesPerSecond);
  const recorder = new MediaRecorder(stream, {mimeType: type, videoBitsPerSecond: 6_000_000});
  const parts = [];
  recorder.ondataavailable = ({data}) => data.size && parts.push(data);
  const ended = new Promise((resolve, reject) => {
    recorder.onstop = () => resolve(new Blob(parts, {type: 'video/webm'}));
    recorder.onerror = ({error}) => reject(error);
  });
  recorder.start(500);
  return {
    stop() {
      if (recorder.state !== 'inactive') {
        recorder.stop();
      }
      stream.getTracks().forEach((track) => track.stop());
      return ended;
    },
  };
}

export function download(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
