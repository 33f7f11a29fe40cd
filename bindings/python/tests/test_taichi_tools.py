"""``ti.tools``, pictures as files and as arrays; what structs print."""

import numpy as np
import pytest

import ivyrs.taichi as ti

SQUARES = (np.arange(48).reshape(4, 4, 3) * 5).astype(np.uint8)


@pytest.fixture(autouse=True)
def program():
    ti.init(arch=ti.cpu)


@pytest.mark.parametrize("name", ["a.png", "a.bmp"])
def test_pictures_are_read_as_they_were_written(tmp_path, name):
    ti.tools.imwrite(SQUARES, tmp_path / name)
    read = ti.tools.imread(tmp_path / name)
    assert read.dtype == np.uint8
    assert np.array_equal(read, SQUARES)
    assert np.array_equal(ti.tools.imread(str(tmp_path / name), 4)[..., 3], np.full((4, 4), 255))


def test_channels_are_those_of_the_file_or_those_asked_for(tmp_path):
    grey = np.arange(6, dtype=np.uint8).reshape(2, 3)
    ti.tools.imwrite(grey, tmp_path / "a.png")
    assert np.array_equal(ti.tools.imread(tmp_path / "a.png"), grey[:, :, None])
    assert [ti.tools.imread(tmp_path / "a.png", n).shape[2] for n in (1, 2, 3, 4)] == [1, 2, 3, 4]
    with pytest.raises(ValueError, match="channels is 5"):
        ti.tools.imread(tmp_path / "a.png", 5)


# The bytes that Taichi 1.7.4 wrote.
@pytest.mark.parametrize(
    ("ty", "value", "byte"),
    [(ti.f32, 0.5, 127), (ti.f64, -0.2, 0), (ti.f32, 1.2, 255), (ti.u16, 40000, 156), (ti.u8, 7, 7), (ti.u32, 2**32 - 1, 255), (ti.f16, 0.25, 63)],
)
def test_numbers_become_bytes(tmp_path, ty, value, byte):
    x = ti.field(ty, (3, 2))
    x.fill(value)
    ti.tools.imwrite(x, tmp_path / "a.png")
    assert np.array_equal(ti.tools.imread(tmp_path / "a.png"), np.full((3, 2, 1), byte))


def test_pictures_are_resized_by_the_nearest_pixel():
    x = np.arange(9).reshape(3, 3)
    assert np.array_equal(ti.tools.imresize(x, 6), x.repeat(2, 0).repeat(2, 1))
    assert np.array_equal(ti.tools.imresize(SQUARES, 2), SQUARES[::2, ::2])
    assert np.array_equal(ti.tools.imresize(x, 2, 5), x[[0, 1]][:, [0, 0, 1, 1, 2]])
    with pytest.raises(ValueError, match="0 x 2 pixels"):
        ti.tools.imresize(x, 0, 2)
    with pytest.raises(TypeError, match="1.5"):
        ti.tools.imresize(x, 1.5)


def test_what_is_no_picture(tmp_path):
    with pytest.raises(ValueError, match=r"not \(3,\)"):
        ti.tools.imwrite(np.zeros(3), tmp_path / "a.png")
    with pytest.raises(ValueError, match="int32"):
        ti.tools.imwrite(np.zeros((3, 3), np.int32), tmp_path / "a.png")


def test_structs_print_as_dictionaries():
    pair = ti.types.struct(a=ti.i32, b=ti.types.vector(2, ti.f32))
    assert str(pair(a=1, b=[2, 3])) == repr(pair(a=1, b=[2, 3])) == "{'a': 1, 'b': [2.0, 3.0]}"
