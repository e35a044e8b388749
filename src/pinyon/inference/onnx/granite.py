"""Granite: the weights of granite-embedding-30m-english out of their pack.

A pack is b"HMSEMB01", the header's length (u64), the header (JSON: meta, arch, tensors,
tokenizer_len), the tokenizer (JSON), and the tensors one after another. A tensor of int8 is
its values, then one float32 scale for each group of them. All numbers are little-endian.
"""

import json
import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pinyon.inference.onnx.graph import Arch, Encoder

if TYPE_CHECKING:
    import numpy as np

MAGIC = b"HMSEMB01"
PREFIX = struct.Struct("<8sQ")
PACK = "granite-embedding-30m-english-int8.hmsemb"


def read(files: Mapping[str, bytes]) -> Encoder:
    """Raises ValueError when the pack is not one, or ends too early."""
    pack = files[PACK]
    magic, length = PREFIX.unpack_from(pack.ljust(PREFIX.size, b"\0"))
    start = PREFIX.size + length
    if magic != MAGIC or start > len(pack):
        raise ValueError("not a pack of weights")
    header = json.loads(pack[PREFIX.size : start])
    at = start + header["tokenizer_len"]
    tokenizer = pack[start:at]
    weights = {}
    for tensor in header["tensors"]:
        data = pack[at : at + tensor["len"]]
        if len(data) < tensor["len"]:
            raise ValueError(f"the pack ends inside {tensor['name']}")
        weights[tensor["name"]] = _array(data, tensor)
        at += tensor["len"]
    return Encoder(weights, _arch(header), tokenizer)


def _array(data: bytes, tensor: Mapping[str, Any]) -> "np.ndarray[Any, Any]":
    import numpy as np

    if tensor["dtype"] == "f32":
        return np.frombuffer(data, "<f4").reshape(tensor["shape"])
    count = int(np.prod(tensor["shape"]))
    values = np.frombuffer(data, np.int8, count).reshape(-1, tensor["group"])
    scales = np.frombuffer(data, "<f4", offset=count).reshape(-1, 1)
    whole: np.ndarray[Any, Any] = (values * scales).reshape(tensor["shape"])
    return whole


def _arch(header: Mapping[str, Any]) -> Arch:
    shape = header["arch"]
    return Arch(
        hidden=shape["hidden"],
        layers=shape["layers"],
        heads=shape["heads"],
        eps=shape["layer_norm_eps"],
        position_offset=shape["position_offset"],
        pooling=header["meta"]["pooling"],
    )
