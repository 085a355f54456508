"""Makes the fixtures beside it: python3 make_fixtures.py (made with NumPy 2.4.6, Python 3)."""

import io
import sys
import zipfile

import numpy as np

TYPES = {
    "f2": [0.5, -2.0, 65504.0, 2.0**-24, np.inf, np.nan],
    "f4": [0.5, -2.0, 3.4e38, 1e-45, np.inf, np.nan],
    "f8": [0.1, -2.0, 1.0e300, 5e-324, np.inf, np.nan],
    "i1": [-128, 0, 127],
    "i2": [-32768, 0, 32767],
    "i4": [-(2**31), 0, 2**31 - 1],
    "i8": [-(2**63), 0, 2**63 - 1],
    "u1": [0, 128, 255],
    "u2": [0, 32768, 65535],
    "u4": [0, 2**31, 2**32 - 1],
    "b1": [True, False, True],
}
arrays = {name: np.array(values, dtype=name) for name, values in TYPES.items()}
np.savez("types.npz", **arrays)
np.savez_compressed("types_compressed.npz", **arrays)
np.savez(
    "shapes.npz",
    scalar=np.float32(2.5),
    empty=np.zeros((0,), "f4"),
    no_rows=np.zeros((0, 3), "f8"),
    no_columns=np.zeros((5, 0), "f4"),
    matrix=np.arange(6, dtype="f4").reshape(2, 3),
    cube=np.arange(24, dtype="i4").reshape(2, 3, 4),
    **{"ψ": np.array([1.0]), "folder/inner": np.array([2.0])},
)
np.savez("nothing.npz")

t = np.arange(11, dtype="f4")
np.savez_compressed(
    "episode.npz",
    observation=np.outer(t, [1, 2, 3]).astype("f4"),
    action=np.outer(t, [-1, 1]).astype("f4") / 10,
    reward=t.reshape(-1, 1),
    discount=np.ones((11, 1), "f4"),
    physics=np.outer(t, [0.1, 0.2, 0.3, 0.4]).astype("f8"),
)

np.save("matrix.npy", np.arange(6, dtype="f8").reshape(2, 3))
for version in (2, 3):
    with open(f"version{version}.npy", "wb") as f:
        np.lib.format.write_array(f, np.arange(3, dtype="f4"), version=(version, 0))

with open("fortran.npy", "wb") as f:
    np.save(f, np.asfortranarray(np.arange(6, dtype="f4").reshape(2, 3)))
np.save("big_endian.npy", np.arange(3, dtype=">f4"))
np.save("objects.npy", np.array([{"a": 1}, None], dtype=object), allow_pickle=True)
np.save("text.npy", np.array(["ab", "c"]))
np.save("bytes.npy", np.array([b"ab", b"c"]))
np.save("structured.npy", np.zeros(2, dtype=[("x", "f4"), ("y", "i4")]))
np.save("structured_unicode.npy", np.zeros(2, dtype=[("ψ", "f4")]))
np.save("void.npy", np.zeros(2, dtype="V3"))
np.save("dates.npy", np.zeros(2, dtype="M8[s]"))
np.save("durations.npy", np.zeros(2, dtype="m8[s]"))
np.save("complex.npy", np.zeros(2, dtype="c8"))
np.save("unsigned64.npy", np.zeros(2, dtype="u8"))
np.save("extended.npy", np.zeros(2, dtype="f16"))
np.savez("mixed.npz", numbers=np.arange(3, dtype="f4"), text=np.array(["a"]))

# As for archives of gigabytes: lowering the limit makes zipfile write every zip64 record it has.
limits = zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT
zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT = 0, 0
np.savez_compressed("zip64.npz", a=np.arange(3, dtype="f4"), b=np.arange(4, dtype="f8"))
zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT = limits


class Pipe(io.RawIOBase):
    """Cannot seek, so that zipfile puts sizes and checksums behind the data."""

    def __init__(self):
        self.bytes = bytearray()

    def writable(self):
        return True

    def write(self, b):
        self.bytes += bytes(b)
        return len(b)


pipe = Pipe()
np.savez_compressed(pipe, a=np.arange(3, dtype="f4"), b=np.arange(4, dtype="f8"))
with open("descriptors.npz", "wb") as f:
    f.write(pipe.bytes)
pipe = Pipe()
with zipfile.ZipFile(pipe, "w") as z:
    for name in ("a", "b"):
        npy = io.BytesIO()
        np.save(npy, np.arange(3, dtype="f4"))
        z.writestr(name + ".npy", npy.getvalue())
with open("descriptors32.npz", "wb") as f:
    f.write(pipe.bytes)

print(np.__version__, sys.version)
