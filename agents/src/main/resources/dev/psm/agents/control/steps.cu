// Parts of gradient steps that libtorch would do in many passes, one warp a row or one thread a number. The formulas are those
// of the Java sources beside this file, which also run without a GPU; names are theirs.

__device__ float acrossWarp(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffffu, v, offset);
  return v;
}

#define ROW                                    \
  int row = blockIdx.x * 8 + threadIdx.x / 32; \
  if (row >= rows) return;                     \
  int lane = threadIdx.x % 32;

// A NaN stays one, which fminf and fmaxf would hide.
__device__ float within(float x, float bound) { return x < -bound ? -bound : x > bound ? bound : x; }

#define EACH                                                  \
  long i = (long)blockIdx.x * blockDim.x + threadIdx.x;       \
  if (i >= count) return;

// Task vectors on the sphere: the features of another row of the batch where mixed says so, else a random direction.
extern "C" __global__ void task_vectors(
    const float* goals, const long* permutation, const float* mixed, const float* noise, float* tasks, int rows,
    int batch, int columns) {
  ROW
  long other = row / batch * batch + permutation[row];
  const float* from = mixed[row] > 0 ? goals + other * columns : noise + (long)row * columns;
  float squares = 0;
  for (int c = lane; c < columns; c += 32) squares += from[c] * from[c];
  float scale = sqrtf((float)columns) / fmaxf(sqrtf(acrossWarp(squares)), 1e-12f);
  for (int c = lane; c < columns; c += 32) tasks[(long)row * columns + c] = from[c] * scale;
}

// mean <- tanh(output); action <- clamp(mean + clip(deviation * noise)).
extern "C" __global__ void noisy_action(
    const float* output, const float* noise, float* mean, float* action, long count, float deviation, float clip,
    float bound) {
  EACH
  float m = tanhf(output[i]);
  mean[i] = m;
  action[i] = within(m + within(deviation * noise[i], clip), bound);
}

// The mean over members times discounts: seeds x members x batch x columns becomes seeds x batch x columns.
extern "C" __global__ void bootstrap(
    const float* next, const float* discounts, float* result, long count, int members, int batch, int columns,
    float discount) {
  EACH
  long perSeed = (long)batch * columns;
  long seed = i / perSeed, place = i % perSeed;
  float sum = 0;
  for (int m = 0; m < members; m++) sum += next[(seed * members + m) * perSeed + place];
  result[i] = sum / members * (discount * discounts[i / columns]);
}

// Of a measure with fixed features: product <- pairs * product - (pairs * residual.phi + 1 / batch) phi.
extern "C" __global__ void fixed_gradient(
    float* product, const float* residual, const float* phi, int rows, int members, int batch, int columns,
    float pairs) {
  ROW
  long seed = row / (members * batch), place = row % batch;
  const float* f = phi + (seed * batch + place) * columns;
  const float* r = residual + (long)row * columns;
  float* p = product + (long)row * columns;
  float dot = 0;
  for (int c = lane; c < columns; c += 32) dot += r[c] * f[c];
  float own = pairs * acrossWarp(dot) + 1.0f / batch;
  for (int c = lane; c < columns; c += 32) p[c] = pairs * p[c] - own * f[c];
}

// Of a measure with learned features, by psi: product <- pairs * (product - bootstrapped) - own phi,
// own = pairs * (psi.phi - target.targetPhi) + 1 / batch, which is kept.
extern "C" __global__ void psi_gradient(
    float* product, const float* bootstrapped, const float* psi, const float* phi, const float* target,
    const float* targetPhi, float* owns, int rows, int members, int batch, int columns, float pairs) {
  ROW
  long seed = row / (members * batch), place = row % batch;
  long shared = (seed * batch + place) * columns;
  const float* f = phi + shared;
  float* p = product + (long)row * columns;
  float dot = 0;
  for (int c = lane; c < columns; c += 32)
    dot += psi[(long)row * columns + c] * f[c] - target[shared + c] * targetPhi[shared + c];
  float own = pairs * acrossWarp(dot) + 1.0f / batch;
  if (lane == 0) owns[row] = own;
  for (int c = lane; c < columns; c += 32) p[c] = pairs * (p[c] - bootstrapped[shared + c]) - own * f[c];
}

// By phi: product <- pairs * (product - bootstrapped) - sum over members of own psi - 2 orthonormality * (pairs |phi|^2 + 1 / batch) phi.
extern "C" __global__ void phi_gradient(
    float* product, const float* bootstrapped, const float* psi, const float* owns, const float* phi, int rows,
    int members, int batch, int columns, float pairs, float orthonormality) {
  ROW
  long seed = row / batch, place = row % batch;
  const float* f = phi + (long)row * columns;
  float squares = 0;
  for (int c = lane; c < columns; c += 32) squares += f[c] * f[c];
  float length = 2 * orthonormality * (pairs * acrossWarp(squares) + 1.0f / batch);
  for (int c = lane; c < columns; c += 32) {
    float sum = 0;
    for (int m = 0; m < members; m++) {
      long other = (seed * members + m) * batch + place;
      sum += owns[other] * psi[other * columns + c];
    }
    long at = (long)row * columns + c;
    product[at] = pairs * (product[at] - bootstrapped[at]) - sum - length * f[c];
  }
}

// The actor's: values <- psi.z of every member, gradient <- its descent times z. Rows are seeds x batch; at most 8 members.
extern "C" __global__ void actor_descent(
    const float* psi, const float* tasks, float* values, float* gradient, int rows, int members, int batch,
    int columns, float pessimism) {
  ROW
  long seed = row / batch, place = row % batch;
  const float* z = tasks + (long)row * columns;
  float v[8];
  for (int m = 0; m < members; m++) {
    long other = (seed * members + m) * batch + place;
    float dot = 0;
    for (int c = lane; c < columns; c += 32) dot += psi[other * columns + c] * z[c];
    v[m] = acrossWarp(dot);
    if (lane == 0) values[other] = v[m];
  }
  for (int m = 0; m < members; m++) {
    float signs = 0;
    for (int n = 0; n < members; n++) signs += (v[m] > v[n]) - (v[m] < v[n]);
    float descent = 2 * pessimism * signs / ((float)batch * (members * members - members)) - 1.0f / ((float)batch * members);
    long other = (seed * members + m) * batch + place;
    for (int c = lane; c < columns; c += 32) gradient[other * columns + c] = descent * z[c];
  }
}

// The bits of codes and the actions that they choose. Count: seeds x batch.
extern "C" __global__ void codebook(
    const long* codes, const long* places, const float* table, float* bits, float* actions, long count, int batch,
    int tableSize, int codeBits, int actionSize) {
  EACH
  long code = codes[i];
  for (int bit = 0; bit < codeBits; bit++) bits[i * codeBits + bit] = (code >> bit) & 1;
  long chosen = (code + places[i]) % tableSize + i / batch * tableSize;
  for (int a = 0; a < actionSize; a++) actions[i * actionSize + a] = table[chosen * actionSize + a];
}
