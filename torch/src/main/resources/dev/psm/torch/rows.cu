// Operations on rows of numbers, one warp a row, and Adam. Numbers are of single precision.

__device__ float acrossWarp(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffffu, v, offset);
  return v;
}

#define ROW                                             \
  int row = blockIdx.x * 8 + threadIdx.x / 32;          \
  if (row >= rows) return;                              \
  int lane = threadIdx.x % 32;

// y <- sqrt(d) x / |x|.
extern "C" __global__ void on_sphere(const float* x, float* y, int rows, int columns) {
  ROW
  const float* from = x + (long)row * columns;
  float squares = 0;
  for (int c = lane; c < columns; c += 32) squares += from[c] * from[c];
  float scale = sqrtf((float)columns) / fmaxf(sqrtf(acrossWarp(squares)), 1e-12f);
  for (int c = lane; c < columns; c += 32) y[(long)row * columns + c] = from[c] * scale;
}

// The gradient before that: what is along x goes.
extern "C" __global__ void from_sphere(const float* x, const float* gradient, float* before, int rows, int columns) {
  ROW
  const float* from = x + (long)row * columns;
  const float* g = gradient + (long)row * columns;
  float squares = 0, along = 0;
  for (int c = lane; c < columns; c += 32) {
    squares += from[c] * from[c];
    along += from[c] * g[c];
  }
  float inverse = 1 / fmaxf(sqrtf(acrossWarp(squares)), 1e-12f);
  along = acrossWarp(along) * inverse * inverse;
  float scale = sqrtf((float)columns) * inverse;
  for (int c = lane; c < columns; c += 32) before[(long)row * columns + c] = scale * (g[c] - along * from[c]);
}

// One tensor of a group: its values, gradient, moments, and where wanted its target and rounded copies of both.
struct Member {
  float* value;
  const float* gradient;
  float* first;
  float* second;
  float* target;
  unsigned short* rounded;
  unsigned short* roundedTarget;
  long count;
};
#define MEMBERS 40
struct Group {
  Member members[MEMBERS];
};

// To the nearest bfloat16, ties to even; a NaN stays one.
__device__ unsigned short bfloat16(float f) {
  unsigned bits = __float_as_uint(f);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (unsigned short)((bits >> 16) | 0x40u);
  return (unsigned short)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

__device__ void adam(const Member& m, long i, float rate, float root, float targetRate) {
  float g = m.gradient[i];
  float first = 0.9f * m.first[i] + 0.1f * g;
  float second = 0.999f * m.second[i] + 0.001f * g * g;
  float value = m.value[i] - rate * first / (sqrtf(second) / root + 1e-8f);
  m.first[i] = first;
  m.second[i] = second;
  m.value[i] = value;
  if (m.rounded) m.rounded[i] = bfloat16(value);
  if (m.target) {
    float target = m.target[i];
    target += targetRate * (value - target);
    m.target[i] = target;
    if (m.roundedTarget) m.roundedTarget[i] = bfloat16(target);
  }
}

// A step of Adam on a group of tensors, and its target's step after it. Grid: blocks, members.
extern "C" __global__ void adam_step(Group group, const float* counter, const float* learningRate, float targetRate) {
  __shared__ float constants[2];
  if (threadIdx.x == 0) {
    double steps = *counter;
    constants[0] = (float)(*learningRate / (1 - pow(0.9, steps)));
    constants[1] = (float)sqrt(1 - pow(0.999, steps));
  }
  __syncthreads();
  float rate = constants[0], root = constants[1];
  const Member& m = group.members[blockIdx.y];
  long stride = (long)gridDim.x * blockDim.x;
  for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < m.count; i += stride) adam(m, i, rate, root, targetRate);
}
