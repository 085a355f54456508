/* Prints where a MuJoCo version keeps the fields psm reads: the data file with which that version becomes a known one.
 *
 *   cc -I INCLUDE layout.c -o layout && ./layout > ../resources/dev/psm/mujoco/layouts/VERSION.properties
 *
 * INCLUDE is the folder that holds mujoco/mujoco.h: mujoco/include in a Python wheel (pip install mujoco), include in a release's archive,
 * /usr/include after apt-get install libmujoco-dev. The library is not needed. Offsets and widths are in bytes; every supported platform
 * is LP64, so one file serves them all. A compile error says that a field is gone or has another type of number, and psm must learn that first.
 * Then add VERSION to ../resources/dev/psm/mujoco/layouts/versions.txt and run the tests with that library in PSM_TEST_MUJOCO. */
#include <stddef.h>
#include <stdio.h>
#include <mujoco/mujoco.h>

#define WIDTH(type, field) sizeof(((type*)0)->field)
#define MODEL(field) printf("model." #field "=%zu\n", offsetof(mjModel, field));
#define DATA(field) printf("data." #field "=%zu\n", offsetof(mjData, field));
#define CONSTANT(name) printf("constant." #name "=%d\n", (int)name);
/* a count is an int in some versions and 64 bits wide in others */
#define MODEL_COUNT(field) MODEL(field) printf("model." #field ".bytes=%zu\n", WIDTH(mjModel, field));
#define DATA_COUNT(field) DATA(field) printf("data." #field ".bytes=%zu\n", WIDTH(mjData, field));
/* arrays, by the type of number that psm reads from where the pointer points */
#define ARRAY(PRINT, type, field, width) \
  _Static_assert(sizeof(*((type*)0)->field) == width, #type "." #field " has another type of number"); \
  PRINT(field)
#define INTS(field) ARRAY(MODEL, mjModel, field, 4)
#define FLAGS(field) ARRAY(MODEL, mjModel, field, 1)
#define FLOATS(field) ARRAY(MODEL, mjModel, field, 4)
#define DOUBLES(field) ARRAY(MODEL, mjModel, field, 8)
#define STATE(field) ARRAY(DATA, mjData, field, 8)
/* from 3.1.4 on the engine adds no noise to sensors, whatever a model says */
#if mjVERSION_HEADER < 314
#define NOISE CONSTANT(mjENBL_SENSORNOISE)
#else
#define NOISE printf("constant.mjENBL_SENSORNOISE=0\n");
#endif

_Static_assert(WIDTH(mjOption, timestep) == 8, "mjOption.timestep has another type of number");
_Static_assert(WIDTH(mjOption, disableflags) == 4, "mjOption.disableflags has another type of number");
_Static_assert(WIDTH(mjData, ncon) == 4, "mjData.ncon has another type of number");
_Static_assert(WIDTH(mjData, time) == 8, "mjData.time has another type of number");
_Static_assert(WIDTH(mjWarningStat, number) == 4, "mjWarningStat.number has another type of number");

int main(void) {
  printf("# Written by layout.c from MuJoCo's own headers; not edited by hand.\n");
  printf("version=%d\n", mjVERSION_HEADER);

  MODEL_COUNT(nq) MODEL_COUNT(nv) MODEL_COUNT(nu) MODEL_COUNT(na) MODEL_COUNT(nbody) MODEL_COUNT(njnt) MODEL_COUNT(ngeom)
  MODEL_COUNT(nsite) MODEL_COUNT(ntendon) MODEL_COUNT(neq) MODEL_COUNT(nmocap) MODEL_COUNT(nsensor) MODEL_COUNT(nsensordata)
  MODEL_COUNT(nbuffer)
  /* options */
  printf("model.opt.timestep=%zu\n", offsetof(mjModel, opt) + offsetof(mjOption, timestep));
  printf("model.opt.disableflags=%zu\n", offsetof(mjModel, opt) + offsetof(mjOption, disableflags));
  MODEL(buffer) DOUBLES(qpos0) INTS(body_weldid) DOUBLES(body_pos) DOUBLES(body_mass) DOUBLES(body_inertia)
  INTS(jnt_type) FLAGS(jnt_limited) INTS(jnt_qposadr) INTS(jnt_dofadr)
  DOUBLES(jnt_range) DOUBLES(actuator_ctrlrange) INTS(sensor_adr) INTS(sensor_dim)
  INTS(geom_type) INTS(geom_bodyid) INTS(geom_contype) INTS(geom_conaffinity) INTS(geom_group) DOUBLES(geom_size) FLOATS(geom_rgba)
  INTS(site_type) INTS(site_bodyid) INTS(site_group) DOUBLES(site_size) FLOATS(site_rgba)

  /* what only a user's own model file needs: its start, its sensors, its bounds */
  printf("model.opt.enableflags=%zu\n", offsetof(mjModel, opt) + offsetof(mjOption, enableflags));
  MODEL_COUNT(nkey)
  INTS(body_parentid) INTS(jnt_bodyid) DOUBLES(geom_quat) DOUBLES(geom_rbound) INTS(sensor_type) INTS(sensor_needstage) INTS(sensor_objid)
  DOUBLES(key_qpos) DOUBLES(key_qvel) DOUBLES(key_act)

  DATA_COUNT(nbuffer) DATA(ncon) DATA(time) DATA(buffer)
  STATE(qpos) STATE(qvel) STATE(act) STATE(qacc_warmstart) STATE(ctrl) STATE(mocap_pos) STATE(mocap_quat) STATE(sensordata)
  STATE(xpos) STATE(xquat) STATE(xmat) STATE(xipos) STATE(xfrc_applied) STATE(geom_xpos) STATE(geom_xmat) STATE(site_xpos) STATE(site_xmat)
  STATE(subtree_com) STATE(subtree_linvel) STATE(subtree_angmom)
  /* how often each warning was raised: one counter per kind, a stride apart */
  printf("data.warning.number=%zu\n", offsetof(mjData, warning) + offsetof(mjWarningStat, number));
  printf("data.warning.stride=%zu\n", sizeof(mjWarningStat));

  CONSTANT(mjDSBL_ACTUATION)
  CONSTANT(mjWARN_BADQPOS) CONSTANT(mjWARN_BADQVEL) CONSTANT(mjWARN_BADQACC)
  CONSTANT(mjOBJ_BODY) CONSTANT(mjOBJ_JOINT) CONSTANT(mjOBJ_GEOM) CONSTANT(mjOBJ_SITE) CONSTANT(mjOBJ_ACTUATOR) CONSTANT(mjOBJ_SENSOR)
  CONSTANT(mjJNT_FREE) CONSTANT(mjJNT_BALL) CONSTANT(mjJNT_SLIDE) CONSTANT(mjJNT_HINGE)
  CONSTANT(mjGEOM_PLANE) CONSTANT(mjGEOM_SPHERE) CONSTANT(mjGEOM_CAPSULE) CONSTANT(mjGEOM_ELLIPSOID) CONSTANT(mjGEOM_CYLINDER)
  CONSTANT(mjGEOM_BOX)
  CONSTANT(mjSTAGE_ACC)
  NOISE
  CONSTANT(mjSENS_TOUCH) CONSTANT(mjSENS_ACCELEROMETER) CONSTANT(mjSENS_VELOCIMETER) CONSTANT(mjSENS_GYRO) CONSTANT(mjSENS_FORCE)
  CONSTANT(mjSENS_TORQUE) CONSTANT(mjSENS_MAGNETOMETER) CONSTANT(mjSENS_RANGEFINDER) CONSTANT(mjSENS_JOINTPOS) CONSTANT(mjSENS_JOINTVEL)
  CONSTANT(mjSENS_TENDONPOS) CONSTANT(mjSENS_TENDONVEL) CONSTANT(mjSENS_ACTUATORPOS) CONSTANT(mjSENS_ACTUATORVEL)
  CONSTANT(mjSENS_ACTUATORFRC) CONSTANT(mjSENS_BALLQUAT) CONSTANT(mjSENS_BALLANGVEL) CONSTANT(mjSENS_JOINTLIMITPOS)
  CONSTANT(mjSENS_JOINTLIMITVEL) CONSTANT(mjSENS_JOINTLIMITFRC) CONSTANT(mjSENS_TENDONLIMITPOS) CONSTANT(mjSENS_TENDONLIMITVEL)
  CONSTANT(mjSENS_TENDONLIMITFRC) CONSTANT(mjSENS_FRAMEPOS) CONSTANT(mjSENS_FRAMEQUAT) CONSTANT(mjSENS_FRAMEXAXIS)
  CONSTANT(mjSENS_FRAMEYAXIS) CONSTANT(mjSENS_FRAMEZAXIS) CONSTANT(mjSENS_FRAMELINVEL) CONSTANT(mjSENS_FRAMEANGVEL)
  CONSTANT(mjSENS_FRAMELINACC) CONSTANT(mjSENS_FRAMEANGACC) CONSTANT(mjSENS_SUBTREECOM) CONSTANT(mjSENS_SUBTREELINVEL)
  CONSTANT(mjSENS_SUBTREEANGMOM) CONSTANT(mjSENS_CLOCK) CONSTANT(mjSENS_USER)
  return 0;
}
