"""Makes the fixtures beside it. Needs NumPy; see README.txt."""

import pathlib
import struct
import sys

import numpy as np

HERE = pathlib.Path(__file__).parent
NOWHERE = 0xFFFFFFFFFFFFFFFF


def exorl(rows_folder):
    """Two episodes as ExoRL's own code saves them."""
    out = HERE / "exorl"
    out.mkdir(exist_ok=True)
    for index in range(2):
        rows = np.load(pathlib.Path(rows_folder) / f"rows_{index}.npz")
        episode = {key: np.array(rows[key]) for key in rows.files}
        length = len(episode["reward"]) - 1
        with open(out / f"episode_{index:06d}_{length}.npz", "wb") as file:
            np.savez_compressed(file, **episode)


def message(kind, data):
    data += bytes(-len(data) % 8)
    return struct.pack("<HHB3x", kind, len(data), 0) + data


def header(messages):
    body = b"".join(messages)
    return struct.pack("<BxHII4x", 1, len(messages), 1, len(body)) + body


FLOAT = struct.pack("<B3BI", 0x11, 0x20, 0x1F, 0, 4) + struct.pack("<HHBBBBI", 0, 32, 23, 8, 0, 23, 127)
INT8 = struct.pack("<B3BI", 0x10, 0x08, 0, 0, 1) + struct.pack("<HH", 0, 8)
# What h5py makes of NumPy's bool.
BOOL = struct.pack("<BHBI", 0x18, 2, 0, 1) + INT8 + b"FALSE\0\0\0" + b"TRUE\0\0\0\0" + bytes([0, 1])


def hdf5(arrays):
    """The oldest file format, h5py's default, with contiguous arrays in the root group."""
    names = sorted(arrays)
    heap = bytearray(8)
    offsets = []
    for name in names:
        offsets.append(len(heap))
        heap += name.encode() + bytes(8 - len(name) % 8)
    root_at = 96
    root_size = len(header([message(0x11, bytes(16))]))
    tree_at = root_at + root_size
    tree_size = 24 + 33 * 8 + 32 * 8
    heap_at = tree_at + tree_size
    symbols_at = heap_at + 32 + len(heap)
    at = symbols_at + 8 + 8 * 40
    objects = b""
    entries = b""
    for name, offset in zip(names, offsets):
        kind, values = arrays[name]
        data = values.tobytes()
        space = struct.pack("<BBB5x", 1, values.ndim, 0) + struct.pack(f"<{values.ndim}Q", *values.shape)

        def dataset(data_at):
            layout = struct.pack("<BBQQ", 3, 1, data_at, len(data))
            return header([message(1, space), message(3, kind), message(8, layout)])

        size = len(dataset(0))
        entries += struct.pack("<QQII16x", offset, at, 0, 0)
        data += bytes(-len(data) % 8)
        objects += dataset(at + size) + data
        at += size + len(data)
    signature = b"\x89HDF\r\n\x1a\n"
    superblock = signature + struct.pack("<8BHHI", 0, 0, 0, 0, 0, 8, 8, 0, 4, 16, 0)
    superblock += struct.pack("<QQQQ", 0, NOWHERE, at, NOWHERE)
    superblock += struct.pack("<QQIIQQ", 0, root_at, 1, 0, tree_at, heap_at)
    root = header([message(0x11, struct.pack("<QQ", tree_at, heap_at))])
    tree = b"TREE" + struct.pack("<BBHQQ", 0, 0, 1, NOWHERE, NOWHERE)
    tree += struct.pack("<QQQ", 0, symbols_at, offsets[-1])
    tree += bytes(tree_size - len(tree))
    local_heap = b"HEAP" + struct.pack("<B3xQQQ", 0, len(heap), 1, heap_at + 32) + heap
    symbols = b"SNOD" + struct.pack("<BxH", 1, len(names)) + entries
    symbols += bytes(8 + 8 * 40 - len(symbols))
    return superblock + root + tree + local_heap + symbols + objects


def truths():
    """Two episodes: one of three steps that ended, one of two that was cut."""
    rows = 5
    arrays = {
        "observations": (FLOAT, np.arange(2 * rows, dtype="<f4").reshape(rows, 2)),
        "next_observations": (FLOAT, 100 + np.arange(2 * rows, dtype="<f4").reshape(rows, 2)),
        "actions": (FLOAT, (np.arange(rows, dtype="<f4") / 10).reshape(rows, 1)),
        "terminals": (BOOL, np.array([0, 0, 1, 0, 0], dtype="i1")),
        "timeouts": (BOOL, np.array([0, 0, 0, 0, 1], dtype="i1")),
    }
    (HERE / "truths.hdf5").write_bytes(hdf5(arrays))


exorl(sys.argv[1])
truths()
