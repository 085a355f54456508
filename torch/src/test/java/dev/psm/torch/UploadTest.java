package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.FloatBuffer;
import org.junit.jupiter.api.Test;

class UploadTest {
  @Test
  void rowsArriveAndThoseNotSentStay() {
    try (Upload upload = new Upload(Device.CPU, 3, 2)) {
      long address = upload.target().data_ptr().address();
      FloatBuffer staged = upload.begin();
      assertEquals(6, staged.capacity());
      staged.put(0, new float[] {1, 2, 3, 4, 5, 6});
      assertArrayEquals(new float[6], Tensors.toFloats(upload.target()));
      upload.send(3);
      upload.begin().put(0, new float[] {7, 8, 9, 9});
      upload.send(1);
      assertArrayEquals(new float[] {7, 8, 3, 4, 5, 6}, Tensors.toFloats(upload.target()));
      upload.begin().put(2, new float[] {10, 11});
      upload.send(2);
      assertArrayEquals(new float[] {1, 2, 10, 11, 5, 6}, Tensors.toFloats(upload.target()));
      assertEquals(address, upload.target().data_ptr().address());
    }
  }
}
