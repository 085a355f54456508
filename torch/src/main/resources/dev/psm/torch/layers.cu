// What lies between the matrix products of a network, in one pass over memory each.
//
// Compiled for one width at a time: COLUMNS, a multiple of 128, at most 2048. BFLOAT16 is 1 where activations have that type.
// Matrices are networks x rows x columns; a thread has four neighbouring columns. Sums over rows come in two
// steps, blocks of CHUNK rows and then all of them, always in the same order: results repeat to the bit.

#define CHUNK 8
#define WARPS (COLUMNS / 128)

#if BFLOAT16
typedef unsigned short number;
struct alignas(8) four { number x, y, z, w; };
__device__ float widen(number n) { return __uint_as_float((unsigned)n << 16); }
// To the nearest, ties to even; a NaN stays one.
__device__ number narrow(float f) {
  unsigned bits = __float_as_uint(f);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (number)((bits >> 16) | 0x40u);
  return (number)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
__device__ float4 get(const number* from) {
  four v = *(const four*)from;
  return make_float4(widen(v.x), widen(v.y), widen(v.z), widen(v.w));
}
__device__ void put(number* to, float4 v) {
  four n = {narrow(v.x), narrow(v.y), narrow(v.z), narrow(v.w)};
  *(four*)to = n;
}
#else
typedef float number;
__device__ float4 get(const number* from) { return *(const float4*)from; }
__device__ void put(number* to, float4 v) { *(float4*)to = v; }
#endif

__device__ float4 weights(const float* from) { return *(const float4*)from; }

// As good as single precision's rounding of numbers of size 1, and several times faster than tanhf.
__device__ float quickTanh(float x) {
  float e = __expf(-2 * fabsf(x));
  return copysignf(__fdividef(1 - e, 1 + e), x);
}

// A NaN stays one, which fmaxf would hide.
__device__ float positive(float x) { return x < 0 ? 0 : x; }

__device__ float acrossWarp(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffffu, v, offset);
  return v;
}

// x <- max(x + bias, 0). Grid: fours of numbers / 256, networks.
extern "C" __global__ void bias_relu(number* x, const float* bias, int rows, long stride) {
  int i = blockIdx.x * 256 + threadIdx.x;
  int row = i / (COLUMNS / 4), column = 4 * (i % (COLUMNS / 4));
  if (row >= rows) return;
  float4 b = weights(bias + (long)blockIdx.y * COLUMNS + column);
  number* at = x + ((long)blockIdx.y * rows + row) * stride + column;
  float4 v = get(at);
  put(at, make_float4(positive(v.x + b.x), positive(v.y + b.y), positive(v.z + b.z), positive(v.w + b.w)));
}

// gradient <- gradient where output > 0, else 0; and its sums over the rows of a chunk where wanted.
extern "C" __global__ void __launch_bounds__(COLUMNS / 4) relu_back(
    number* gradient, long gradientStride, const number* output, long outputStride, float* sums, int rows) {
  int column = 4 * threadIdx.x;
  float4 sum = make_float4(0, 0, 0, 0);
  int start = blockIdx.x * CHUNK;
  float4 g[CHUNK], o[CHUNK];
#pragma unroll
  for (int i = 0; i < CHUNK; i++) {
    if (start + i >= rows) break;
    long place = (long)blockIdx.y * rows + start + i;
    g[i] = get(gradient + place * gradientStride + column);
    o[i] = get(output + place * outputStride + column);
  }
#pragma unroll
  for (int i = 0; i < CHUNK; i++) {
    if (start + i >= rows) break;
    g[i] = make_float4(o[i].x > 0 ? g[i].x : 0, o[i].y > 0 ? g[i].y : 0, o[i].z > 0 ? g[i].z : 0, o[i].w > 0 ? g[i].w : 0);
    put(gradient + ((long)blockIdx.y * rows + start + i) * gradientStride + column, g[i]);
    sum = make_float4(sum.x + g[i].x, sum.y + g[i].y, sum.z + g[i].z, sum.w + g[i].w);
  }
  if (sums) *(float4*)(sums + ((long)blockIdx.y * gridDim.x + blockIdx.x) * COLUMNS + column) = sum;
}

// The sums of a chunk's rows, of numbers of single precision.
extern "C" __global__ void __launch_bounds__(COLUMNS / 4) row_sums(const float* x, float* sums, int rows) {
  int column = 4 * threadIdx.x;
  float4 sum = make_float4(0, 0, 0, 0);
  int start = blockIdx.x * CHUNK;
#pragma unroll
  for (int i = 0; i < CHUNK; i++) {
    if (start + i >= rows) break;
    float4 v = weights(x + ((long)blockIdx.y * rows + start + i) * COLUMNS + column);
    sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
  }
  *(float4*)(sums + ((long)blockIdx.y * gridDim.x + blockIdx.x) * COLUMNS + column) = sum;
}

// output <- tanh(LayerNorm(x + bias) * gain + shift), one warp a row; moments are kept where wanted.
extern "C" __global__ void norm_tanh(
    const number* x, const float* bias, const float* gain, const float* shift, number* output, float* means,
    float* inverseDeviations, int rows, int total) {
  int row = blockIdx.x * 4 + threadIdx.x / 32;
  if (row >= total) return;
  int lane = threadIdx.x % 32;
  long network = (long)(row / rows) * COLUMNS;
  float4 v[WARPS];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < WARPS; i++) {
    int column = i * 128 + 4 * lane;
    float4 a = get(x + (long)row * COLUMNS + column);
    float4 b = weights(bias + network + column);
    v[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    sum += v[i].x + v[i].y + v[i].z + v[i].w;
  }
  float mean = acrossWarp(sum) / COLUMNS;
  float squares = 0;
#pragma unroll
  for (int i = 0; i < WARPS; i++) {
    v[i] = make_float4(v[i].x - mean, v[i].y - mean, v[i].z - mean, v[i].w - mean);
    squares += v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z + v[i].w * v[i].w;
  }
  float inverse = rsqrtf(acrossWarp(squares) / COLUMNS + 1e-5f);
  if (means && lane == 0) {
    means[row] = mean;
    inverseDeviations[row] = inverse;
  }
#pragma unroll
  for (int i = 0; i < WARPS; i++) {
    int column = i * 128 + 4 * lane;
    float4 g = weights(gain + network + column);
    float4 s = weights(shift + network + column);
    put(output + (long)row * COLUMNS + column,
        make_float4(quickTanh(v[i].x * inverse * g.x + s.x), quickTanh(v[i].y * inverse * g.y + s.y),
                    quickTanh(v[i].z * inverse * g.z + s.z), quickTanh(v[i].w * inverse * g.w + s.w)));
  }
}

// The way back. Each row needs two sums over its columns before any of its gradients is known; meanwhile the chunk
// waits in registers.
extern "C" __global__ void __launch_bounds__(COLUMNS / 4) norm_tanh_back(
    const number* gradient, long gradientStride, const number* output, const number* x, const float* bias,
    const float* gain, const float* means, const float* inverseDeviations, number* before, float* sums, int rows) {
  __shared__ float2 parts[CHUNK][WARPS];
  int column = 4 * threadIdx.x;
  long network = (long)blockIdx.y * COLUMNS + column;
  float4 b = weights(bias + network);
  float4 w = weights(gain + network);
  int start = blockIdx.x * CHUNK;
  float4 g[CHUNK], v[CHUNK];
#pragma unroll
  for (int i = 0; i < CHUNK; i++) {
    if (start + i >= rows) break;
    long place = (long)blockIdx.y * rows + start + i;
    float mean = means[place], inverse = inverseDeviations[place];
    g[i] = get(gradient + place * gradientStride + column);
    float4 o = get(output + place * COLUMNS + column);
    v[i] = get(x + place * COLUMNS + column);
    g[i] = make_float4(g[i].x * (1 - o.x * o.x), g[i].y * (1 - o.y * o.y), g[i].z * (1 - o.z * o.z),
                       g[i].w * (1 - o.w * o.w));
    v[i] = make_float4((v[i].x + b.x - mean) * inverse, (v[i].y + b.y - mean) * inverse,
                       (v[i].z + b.z - mean) * inverse, (v[i].w + b.w - mean) * inverse);
    float4 d = make_float4(g[i].x * w.x, g[i].y * w.y, g[i].z * w.z, g[i].w * w.w);
    float first = acrossWarp(d.x + d.y + d.z + d.w);
    float second = acrossWarp(d.x * v[i].x + d.y * v[i].y + d.z * v[i].z + d.w * v[i].w);
    if (threadIdx.x % 32 == 0) parts[i][threadIdx.x / 32] = make_float2(first, second);
  }
  __syncthreads();
  float4 toBias = make_float4(0, 0, 0, 0), toGain = toBias, toShift = toBias;
#pragma unroll
  for (int i = 0; i < CHUNK; i++) {
    if (start + i >= rows) break;
    long place = (long)blockIdx.y * rows + start + i;
    float inverse = inverseDeviations[place];
    float first = 0, second = 0;
#pragma unroll
    for (int warp = 0; warp < WARPS; warp++) {
      first += parts[i][warp].x;
      second += parts[i][warp].y;
    }
    first /= COLUMNS;
    second /= COLUMNS;
    float4 d = make_float4(inverse * (g[i].x * w.x - first - v[i].x * second), inverse * (g[i].y * w.y - first - v[i].y * second),
                           inverse * (g[i].z * w.z - first - v[i].z * second), inverse * (g[i].w * w.w - first - v[i].w * second));
    put(before + place * COLUMNS + column, d);
    toBias = make_float4(toBias.x + d.x, toBias.y + d.y, toBias.z + d.z, toBias.w + d.w);
    toGain = make_float4(toGain.x + g[i].x * v[i].x, toGain.y + g[i].y * v[i].y, toGain.z + g[i].z * v[i].z,
                         toGain.w + g[i].w * v[i].w);
    toShift = make_float4(toShift.x + g[i].x, toShift.y + g[i].y, toShift.z + g[i].z, toShift.w + g[i].w);
  }
  if (sums) {
    // Three sets of sums, each networks x chunks x columns.
    long set = (long)gridDim.x * gridDim.y * COLUMNS;
    float* at = sums + ((long)blockIdx.y * gridDim.x + blockIdx.x) * COLUMNS + column;
    *(float4*)at = toBias;
    *(float4*)(at + set) = toGain;
    *(float4*)(at + 2 * set) = toShift;
  }
}

// Sums over chunks: sets x networks x chunks x columns becomes sets x networks x columns. Grid: columns / 32, networks,
// sets; 32 x 8 threads, of which each row takes every eighth chunk.
extern "C" __global__ void chunk_sums(const float* sums, float* totals, int chunks) {
  __shared__ float parts[8][32];
  int column = blockIdx.x * 32 + threadIdx.x;
  long place = (long)blockIdx.z * gridDim.y + blockIdx.y;
  float total = 0;
  for (int chunk = threadIdx.y; chunk < chunks; chunk += 8) total += sums[(place * chunks + chunk) * COLUMNS + column];
  parts[threadIdx.y][threadIdx.x] = total;
  __syncthreads();
  if (threadIdx.y == 0) {
#pragma unroll
    for (int i = 1; i < 8; i++) total += parts[i][threadIdx.x];
    totals[place * COLUMNS + column] = total;
  }
}
