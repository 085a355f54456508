/* Prints where a MuJoCo version keeps the fields psm reads: the data file beside which a new version becomes a known one.
 *
 *   apt-get install libmujoco-dev gcc        (or any MuJoCo's include folder)
 *   cc -I/usr/include layout.c -o layout && ./layout > ../resources/dev/psm/mujoco/layouts/VERSION.properties
 *
 * Needs the headers only, not the library. Offsets are in bytes; every supported platform is LP64, so one file serves them all.
 * Then add VERSION to ../resources/dev/psm/mujoco/layouts/versions.txt and run the tests against that library. */
#include <stddef.h>
#include <stdio.h>
#include <mujoco/mujoco.h>

#define MODEL(field) printf("model." #field "=%zu\n", offsetof(mjModel, field));
#define DATA(field) printf("data." #field "=%zu\n", offsetof(mjData, field));
#define CONSTANT(name) printf("constant." #name "=%d\n", (int)name);

int main(void) {
  printf("# Written by layout.c from MuJoCo's own headers; not edited by hand.\n");
  printf("version=%d\n", mjVERSION_HEADER);

  /* sizes */
  MODEL(nq) MODEL(nv) MODEL(nu) MODEL(na) MODEL(nbody) MODEL(njnt) MODEL(ngeom) MODEL(nsite) MODEL(ntendon) MODEL(neq)
  MODEL(nmocap) MODEL(nsensor) MODEL(nsensordata) MODEL(nbuffer)
  /* options */
  printf("model.opt.timestep=%zu\n", offsetof(mjModel, opt) + offsetof(mjOption, timestep));
  printf("model.opt.disableflags=%zu\n", offsetof(mjModel, opt) + offsetof(mjOption, disableflags));
  /* arrays: where the pointer to each lies */
  MODEL(buffer) MODEL(qpos0) MODEL(body_weldid) MODEL(body_pos) MODEL(body_mass) MODEL(body_inertia)
  MODEL(jnt_type) MODEL(jnt_limited) MODEL(jnt_qposadr) MODEL(jnt_dofadr)
  MODEL(jnt_range) MODEL(actuator_ctrlrange) MODEL(sensor_adr) MODEL(sensor_dim)
  MODEL(geom_type) MODEL(geom_bodyid) MODEL(geom_contype) MODEL(geom_conaffinity) MODEL(geom_group) MODEL(geom_size) MODEL(geom_rgba)
  MODEL(site_type) MODEL(site_bodyid) MODEL(site_group) MODEL(site_size) MODEL(site_rgba)

  /* what only a user's own model file needs: its start, its sensors, its bounds */
  printf("model.opt.enableflags=%zu\n", offsetof(mjModel, opt) + offsetof(mjOption, enableflags));
  MODEL(nkey)
  MODEL(body_parentid) MODEL(jnt_bodyid) MODEL(geom_quat) MODEL(geom_rbound) MODEL(sensor_type) MODEL(sensor_needstage) MODEL(sensor_objid)
  MODEL(key_qpos) MODEL(key_qvel) MODEL(key_act)

  DATA(nbuffer) DATA(ncon) DATA(time) DATA(buffer)
  DATA(qpos) DATA(qvel) DATA(act) DATA(qacc_warmstart) DATA(ctrl) DATA(mocap_pos) DATA(mocap_quat) DATA(sensordata)
  DATA(xpos) DATA(xquat) DATA(xmat) DATA(geom_xpos) DATA(geom_xmat) DATA(site_xpos) DATA(site_xmat)
  DATA(subtree_com) DATA(subtree_linvel) DATA(subtree_angmom)
  /* how often each warning was raised: one counter per kind, a stride apart */
  printf("data.warning.number=%zu\n", offsetof(mjData, warning) + offsetof(mjWarningStat, number));
  printf("data.warning.stride=%zu\n", sizeof(mjWarningStat));

  CONSTANT(mjDSBL_ACTUATION)
  CONSTANT(mjWARN_BADQPOS) CONSTANT(mjWARN_BADQVEL) CONSTANT(mjWARN_BADQACC)
  CONSTANT(mjOBJ_BODY) CONSTANT(mjOBJ_JOINT) CONSTANT(mjOBJ_GEOM) CONSTANT(mjOBJ_SITE) CONSTANT(mjOBJ_ACTUATOR) CONSTANT(mjOBJ_SENSOR)
  CONSTANT(mjJNT_FREE) CONSTANT(mjJNT_BALL) CONSTANT(mjJNT_SLIDE) CONSTANT(mjJNT_HINGE)
  CONSTANT(mjGEOM_PLANE) CONSTANT(mjGEOM_SPHERE) CONSTANT(mjGEOM_CAPSULE) CONSTANT(mjGEOM_ELLIPSOID) CONSTANT(mjGEOM_CYLINDER)
  CONSTANT(mjGEOM_BOX)
  CONSTANT(mjENBL_SENSORNOISE) CONSTANT(mjSTAGE_ACC)
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
