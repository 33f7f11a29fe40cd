"""Textures: elements at equal distances, looked up at places between them."""

from ._classes import class_of, type_of
from ._enums import FilterMode, WrapMode
from ._memory import scatter
from ._traits import is_array_v
from ivyrs._ivyrs import DrjitTexture, DrjitType


class _Texture:
    """A texture: its last axis is the channels, places are given in the unit cube, and ``x`` goes along the axis before the channels.

    ``Texture2f((height, width), channels)`` is one of zeros, ``Texture2f(tensor)`` one of a tensor's elements. Lookups give an array with an
    entry for each channel, of the place's float type; gradients pass to the place and to the elements.
    """

    IsTexture = True
    _axes = 0
    _type: DrjitType
    _storage: type

    def __init__(
        self,
        shape=None,
        channels=None,
        use_accel: bool = True,
        filter_mode: FilterMode = FilterMode.Linear,
        wrap_mode: WrapMode = WrapMode.Clamp,
        writable: bool = False,
        *,
        tensor=None,
        migrate: bool = True,
    ):
        name = type(self).__name__
        if tensor is None and is_array_v(shape):
            # The arguments behind a tensor are other ones.
            tensor = shape
            if isinstance(channels, bool):
                use_accel, migrate = channels, use_accel
            channels = None
        self._filter, self._wrap, self._accel = FilterMode(filter_mode), WrapMode(wrap_mode), bool(use_accel)
        if tensor is not None:
            self._value = self._storage()
            self._shape: tuple = ()
            self.set_tensor(tensor)
            return
        if channels is None or shape is None:
            raise TypeError(f"{name}(): a tensor, or a shape and a number of channels are needed")
        axes = tuple(shape)
        if len(axes) != self._axes:
            raise TypeError(f"{name}(): the shape is {axes}: {self._axes} axes are needed")
        self._shape = (*axes, channels)
        self._value = DrjitTexture(self._type, list(axes), channels, None, self._filter.name, self._wrap.name).value()

    def _native_texture(self) -> DrjitTexture:
        return DrjitTexture(self._type, list(self._shape[:-1]), self._shape[-1], self._value, self._filter.name, self._wrap.name)

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes, and the number of channels."""
        return self._shape

    def channel_count(self) -> int:
        """How many channels there are."""
        return self._shape[-1]

    def filter_mode(self) -> FilterMode:
        """What is made of the elements around a place."""
        return self._filter

    def wrap_mode(self) -> WrapMode:
        """What stands beyond the ends."""
        return self._wrap

    def use_accel(self) -> bool:
        """Whether a GPU's texture units were asked for: they are not used."""
        return self._accel

    def writable(self) -> bool:
        """Whether elements can be replaced by :meth:`write`: always."""
        return True

    def migrated(self) -> bool:
        """Whether the elements are in a GPU's texture memory: never."""
        return False

    def value(self):
        """The elements as a flat array."""
        return self._value

    def tensor(self):
        """The elements as a tensor."""
        return class_of(self._type.tensor)(self._value, shape=self._shape)

    def set_value(self, value, migrate: bool = False) -> None:
        """Replaces the elements by as many others."""
        value = self._storage(value)
        count = 1
        for length in self._shape:
            count *= length
        if len(value) != count:
            raise TypeError(f"{type(self).__name__}.set_value(): {len(value)} elements instead of {count}")
        self._value = value

    def set_tensor(self, tensor, migrate: bool = False) -> None:
        """Replaces the elements by those of a tensor, whose axes may have other lengths."""
        ty = type_of(tensor)
        name = type(self).__name__
        if ty is None or ty.kind != "tensor":
            raise TypeError(f"{name}.set_tensor(): a tensor is needed, not {type(tensor).__name__}")
        if tensor.ndim != self._axes + 1:
            raise TypeError(f"{name}.set_tensor(): the tensor has {tensor.ndim} axes; {self._axes} and one of channels are needed")
        shape, value = tuple(tensor.shape), self._storage(tensor.array)
        # Says what is wrong with the shape.
        DrjitTexture(self._type, list(shape[:-1]), shape[-1], value, self._filter.name, self._wrap.name)
        self._shape, self._value = shape, value

    def update_inplace(self, migrate: bool = False) -> None:
        """Nothing: elements that were changed in place are those that are looked up."""

    def write(self, pos, value, active=True) -> None:
        """Replaces the elements of a place, whole numbers of which ``x`` goes along the axis before the channels: a value for each channel."""
        places = [pos] if type_of(pos) is not None and type_of(pos).kind == "flat" else list(pos)
        if len(places) != self._axes or len(value) != self._shape[-1]:
            raise TypeError(f"{type(self).__name__}.write(): a place of {self._axes} numbers and {self._shape[-1]} values are needed")
        index = places[-1]
        for axis, place in zip(range(1, self._axes), reversed(places[:-1]), strict=True):
            index = index * self._shape[axis] + place
        for channel, new in enumerate(value):
            scatter(self._value, new, index * self._shape[-1] + channel, active)

    def eval(self, pos, active=True):
        """What stands at a place, by the texture's filter; 0 where ``active`` is false."""
        return self._native_texture().eval(pos, active)

    def eval_fetch(self, pos, active=True):
        """The elements of which linear interpolation makes what stands at a place: ``x`` runs fastest."""
        return self._native_texture().eval_fetch(pos, active)

    def eval_cubic(self, pos, active=True, force_nonaccel: bool = False):
        """What stands at a place by cubic B-splines of the four elements around it along each axis."""
        return self._native_texture().eval_cubic(pos, active)

    def eval_cubic_helper(self, pos, active=True):
        """:meth:`eval_cubic`."""
        return self._native_texture().eval_cubic(pos, active)

    def eval_cubic_grad(self, pos, active=True):
        """:meth:`eval_cubic`, and for each channel how it changes with the place."""
        return self._native_texture().eval_cubic_grad(pos, active)

    def eval_cubic_hessian(self, pos, active=True):
        """:meth:`eval_cubic_grad`, and for each channel the matrix of second derivatives."""
        return self._native_texture().eval_cubic_hessian(pos, active)


def fill(package: str, names: dict) -> None:
    """Puts the textures of a package into a module."""
    for axes in (1, 2, 3):
        for suffix, flat in (("f16", "Float16"), ("f", "Float"), ("f64", "Float64")):
            ty = DrjitType(f"drjit.{package}.{flat}")
            storage = class_of(ty if ty.is_jit else ty.with_sizes([-1], "array"))
            name = f"Texture{axes}{suffix}"
            fields = {"__module__": f"ivyrs.drjit.{package}", "__doc__": _Texture.__doc__, "_axes": axes, "_type": ty, "_storage": storage}
            names[name] = type(name, (_Texture,), {**fields, "DRJIT_STRUCT": {"_value": storage}})
