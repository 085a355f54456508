/*
 * The yardstick of `psm bench envs`: the engine's steps in plain C, with no observation and no
 * reward. The actions are those of the Java side, number for number, so both do the same work.
 *
 *   envs_peer MODEL SUBSTEPS EPISODE_STEPS NAME_OF_WELDED_BODY_OR_-
 *
 * First come qpos, qvel, act and qacc_warmstart of the start on standard input; then each line is a
 * number of control steps to do, answered with the wall and CPU seconds they took and the sum of
 * all positions and velocities after them.
 */
#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static mjModel *model;
static mjModel *passive;
static mjData *data;
static mjtNum *start;
static int substeps;
static int episode_steps;
static int elapsed;
static int welded = -1;
static uint64_t noise = 1;

static void quiet(const char *message) { (void)message; }

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

static float draw(void) {
  noise = noise * 6364136223846793005u + 1442695040888963407u;
  return (float)(noise >> 40) * 0x1p-23f - 1.0f;
}

static void begin(void) {
  const mjtNum *from = start;
  elapsed = 0;
  mj_resetData(model, data);
  memcpy(data->qpos, from, model->nq * sizeof(mjtNum));
  from += model->nq;
  memcpy(data->qvel, from, model->nv * sizeof(mjtNum));
  from += model->nv;
  memcpy(data->act, from, model->na * sizeof(mjtNum));
  from += model->na;
  mj_forward(passive, data);
  memcpy(data->qacc_warmstart, from, model->nv * sizeof(mjtNum));
}

/* dm_control's order: positions and velocities are fresh after it. */
static void actuated_step(void) {
  for (int i = 0; i < model->nu; i++) {
    double low = model->actuator_ctrlrange[2 * i];
    double high = model->actuator_ctrlrange[2 * i + 1];
    data->ctrl[i] = low + (high - low) / 2 * (draw() + 1.0);
  }
  mj_step2(model, data);
  for (int i = 1; i < substeps; i++) {
    mj_step(model, data);
  }
  mj_step1(model, data);
}

/* FetchReach has no actuators: an action moves what its gripper is welded to. */
static void welded_step(int right, int left) {
  static const double down[4] = {1, 0, 1, 0};
  for (int i = 0; i < 3; i++) {
    data->mocap_pos[i] = data->xpos[3 * welded + i] + 0.05 * draw();
  }
  draw();
  for (int i = 0; i < 4; i++) {
    data->mocap_quat[i] = data->xquat[4 * welded + i] + down[i];
  }
  for (int i = 0; i < substeps; i++) {
    mj_step(model, data);
  }
  data->qpos[right] = 0;
  data->qpos[left] = 0;
  mj_forward(model, data);
}

static int joint(const char *name) {
  int id = mj_name2id(model, mjOBJ_JOINT, name);
  return id < 0 ? 0 : model->jnt_qposadr[id];
}

static double sum(void) {
  double all = 0;
  for (int i = 0; i < model->nq; i++) {
    all += data->qpos[i];
  }
  for (int i = 0; i < model->nv; i++) {
    all += data->qvel[i];
  }
  return all;
}

int main(int count, char **arguments) {
  char error[1000] = "";
  if (count != 5) {
    fprintf(stderr, "four arguments are needed\n");
    return 1;
  }
  if (mj_version() != mjVERSION_HEADER) {
    fprintf(stderr, "the headers are of version %d, the library of %d\n", mjVERSION_HEADER, mj_version());
    return 1;
  }
  mju_user_warning = quiet;
  model = mj_loadXML(arguments[1], NULL, error, sizeof error);
  if (!model) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  substeps = atoi(arguments[2]);
  episode_steps = atoi(arguments[3]);
  if (strcmp(arguments[4], "-") != 0) {
    welded = mj_name2id(model, mjOBJ_BODY, arguments[4]);
  }
  passive = mj_copyModel(NULL, model);
  passive->opt.disableflags |= mjDSBL_ACTUATION;
  data = mj_makeData(model);
  int right = joint("r_gripper_finger_joint");
  int left = joint("l_gripper_finger_joint");
  int size = model->nq + 2 * model->nv + model->na;
  start = calloc(size, sizeof(mjtNum));
  for (int i = 0; i < size; i++) {
    if (scanf("%lf", start + i) != 1) {
      fprintf(stderr, "the start has %d numbers, found %d\n", size, i);
      return 1;
    }
  }
  begin();
  long steps;
  while (scanf("%ld", &steps) == 1) {
    double wall = seconds(CLOCK_MONOTONIC);
    double cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
    for (long i = 0; i < steps; i++) {
      if (welded >= 0) {
        welded_step(right, left);
      } else {
        actuated_step();
      }
      if (++elapsed == episode_steps) {
        begin();
      }
    }
    cpu = seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
    wall = seconds(CLOCK_MONOTONIC) - wall;
    printf("%.9f %.9f %.17g\n", wall, cpu, sum());
    fflush(stdout);
  }
  return 0;
}
