"""Check: what goes into a model can be read, and what comes out are vectors."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pinyon.inference.contract import Vectors


def readable(text: str) -> str:
    """The text with each half surrogate pair as a question mark: no model can read one."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def unit_rows(rows: Any, count: int, dims: int) -> "Vectors":
    """The rows as float32, each divided by its length.

    Raises ValueError, with what is wrong, unless there are `count` rows of `dims` finite numbers,
    none of them all zero.
    """
    import numpy as np

    try:
        with np.errstate(over="ignore"):  # too large a number becomes infinite, refused below
            vectors = np.asarray(rows, np.float32)
    except (TypeError, ValueError, OverflowError):
        raise ValueError("the vectors are not rows of numbers of one length") from None
    if count == 0 and vectors.size == 0:
        return np.zeros((0, dims), np.float32)
    if vectors.ndim != 2 or len(vectors) != count:
        raise ValueError(f"{count} vectors were asked for, the answer has shape {vectors.shape}")
    if vectors.shape[1] != dims:
        raise ValueError(f"a vector has {vectors.shape[1]} dimensions instead of {dims}")
    if not np.isfinite(vectors).all():
        raise ValueError("a vector holds a number that is not finite")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (np.isfinite(lengths).all() and lengths.all()):
        raise ValueError("a vector has no length")
    unit: Vectors = vectors / lengths
    return unit
