// Operations on rows of numbers, one warp a row, Adam, and a matrix's inverse. Numbers are of single precision but there.

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

// The inverse of a symmetric, positive definite matrix in its place, by Gauss and Jordan without exchanging rows. One block,
// a warp a row; pivots has room for the row of a step's pivot.
extern "C" __global__ void invert(double* a, double* pivots, int n) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  for (int k = 0; k < n; k++) {
    double inverse = 1 / a[(long)k * n + k];
    for (int j = threadIdx.x; j < n; j += blockDim.x) pivots[j] = a[(long)k * n + j];
    __syncthreads();
    for (int i = warp; i < n; i += warps) {
      double* row = a + (long)i * n;
      double factor = row[k] * inverse;
      // All lanes must have read row[k] before one of them writes there.
      __syncwarp();
      for (int j = lane; j < n; j += 32) {
        if (i == k) {
          row[j] = j == k ? inverse : pivots[j] * inverse;
        } else {
          row[j] = j == k ? -factor : row[j] - factor * pivots[j];
        }
      }
    }
    __syncthreads();
  }
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

struct Constants {
  float rate, root, targetRate;
};

__device__ void adam(float& value, float gradient, float& first, float& second, const Constants& c) {
  first = 0.9f * first + 0.1f * gradient;
  second = 0.999f * second + 0.001f * gradient * gradient;
  value -= c.rate * first / (sqrtf(second) / c.root + 1e-8f);
}

__device__ ushort4 bfloat16(float4 v) { return make_ushort4(bfloat16(v.x), bfloat16(v.y), bfloat16(v.z), bfloat16(v.w)); }

// A step of Adam on a group of tensors, and its target's step after it. Grid: blocks, members. Four numbers a thread where
// a tensor has fours.
extern "C" __global__ void adam_step(Group group, const float* counter, const float* learningRate, float targetRate) {
  __shared__ Constants shared;
  if (threadIdx.x == 0) {
    double steps = *counter;
    shared.rate = (float)(*learningRate / (1 - pow(0.9, steps)));
    shared.root = (float)sqrt(1 - pow(0.999, steps));
    shared.targetRate = targetRate;
  }
  __syncthreads();
  Constants c = shared;
  const Member& m = group.members[blockIdx.y];
  long stride = (long)gridDim.x * blockDim.x;
  long start = (long)blockIdx.x * blockDim.x + threadIdx.x;
  long fours = m.count / 4;
  for (long i = start; i < fours; i += stride) {
    float4 value = ((float4*)m.value)[i], first = ((float4*)m.first)[i], second = ((float4*)m.second)[i];
    float4 gradient = ((const float4*)m.gradient)[i];
    adam(value.x, gradient.x, first.x, second.x, c);
    adam(value.y, gradient.y, first.y, second.y, c);
    adam(value.z, gradient.z, first.z, second.z, c);
    adam(value.w, gradient.w, first.w, second.w, c);
    ((float4*)m.value)[i] = value;
    ((float4*)m.first)[i] = first;
    ((float4*)m.second)[i] = second;
    if (m.rounded) ((ushort4*)m.rounded)[i] = bfloat16(value);
    if (m.target) {
      float4 t = ((float4*)m.target)[i];
      t.x += c.targetRate * (value.x - t.x);
      t.y += c.targetRate * (value.y - t.y);
      t.z += c.targetRate * (value.z - t.z);
      t.w += c.targetRate * (value.w - t.w);
      ((float4*)m.target)[i] = t;
      if (m.roundedTarget) ((ushort4*)m.roundedTarget)[i] = bfloat16(t);
    }
  }
  for (long i = 4 * fours + start; i < m.count; i += stride) {
    float value = m.value[i], first = m.first[i], second = m.second[i];
    adam(value, m.gradient[i], first, second, c);
    m.value[i] = value;
    m.first[i] = first;
    m.second[i] = second;
    if (m.rounded) m.rounded[i] = bfloat16(value);
    if (m.target) {
      float t = m.target[i] + c.targetRate * (value - m.target[i]);
      m.target[i] = t;
      if (m.roundedTarget) m.roundedTarget[i] = bfloat16(t);
    }
  }
}

// Numbers side by side, once for every member: count is seeds x rows x (left + right).
#define JOIN(NAME, TYPE, ROUND)                                                                                       \
  extern "C" __global__ void NAME(const float* a, long aStride, int left, const float* b, long bStride, int right,    \
                                  TYPE* joined, long count, int members, int rows) {                                  \
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;                                                             \
    if (i >= count) return;                                                                                           \
    int width = left + right;                                                                                         \
    long row = i / width, seed = row / rows, place = row % rows;                                                      \
    int column = (int)(i % width);                                                                                    \
    float v = column < left ? a[row * aStride + column] : b[row * bStride + column - left];                           \
    for (int m = 0; m < members; m++) joined[((seed * members + m) * rows + place) * width + column] = ROUND(v);      \
  }
JOIN(join, float, )
JOIN(join_rounded, unsigned short, bfloat16)
