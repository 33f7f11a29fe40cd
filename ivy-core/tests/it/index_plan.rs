//! Plans carried out on small arrays, against NumPy's results and Python's slices.

use ivy_core::host::{contiguous_strides, for_each_offset};
use ivy_core::internals::{IndexKind, IndexPlan, inverse_permutation, plan_index, resolve_slice};
use ivy_core::{AxisSlice, Dims, ErrorKind, Shape, shape::broadcast};
use serde_json::Value;

/// A small array, row-major, with the ops that plans are made of.
#[derive(Clone, Debug, PartialEq)]
struct Nd {
    shape: Shape,
    values: Vec<i64>,
}

impl Nd {
    fn new(shape: impl Into<Shape>, values: Vec<i64>) -> Nd {
        let shape = shape.into();
        assert_eq!(shape.size(), values.len());
        Nd { shape, values }
    }

    fn arange(shape: &[usize]) -> Nd {
        Nd::new(shape, (0..shape.iter().product::<usize>() as i64).collect())
    }

    fn strided(&self, shape: Shape, strides: &[isize], start: isize) -> Nd {
        let mut values = Vec::new();
        for_each_offset(&shape, strides, |o| values.push(self.values[(start + o) as usize]));
        Nd { shape, values }
    }

    fn slice_strides(&self, slices: &[AxisSlice]) -> (isize, Dims<isize>) {
        let strides = contiguous_strides(&self.shape);
        let start = slices.iter().zip(&strides).map(|(s, stride)| s.start as isize * stride).sum();
        (start, slices.iter().zip(&strides).map(|(s, stride)| s.step * stride).collect())
    }

    fn slice(&self, slices: &[AxisSlice]) -> Nd {
        let (start, strides) = self.slice_strides(slices);
        self.strided(slices.iter().map(|s| s.len).collect(), &strides, start)
    }

    fn set_slice(mut self, slices: &[AxisSlice], value: &Nd) -> Nd {
        let (start, strides) = self.slice_strides(slices);
        let shape: Shape = slices.iter().map(|s| s.len).collect();
        assert_eq!(shape, value.shape);
        let mut from = value.values.iter();
        for_each_offset(&shape, &strides, |o| self.values[(start + o) as usize] = *from.next().unwrap());
        self
    }

    fn reshape(self, shape: impl Into<Shape>) -> Nd {
        Nd::new(shape, self.values)
    }

    fn permute(&self, axes: &[usize]) -> Nd {
        let strides = contiguous_strides(&self.shape);
        let strides: Dims<isize> = axes.iter().map(|&a| strides[a]).collect();
        self.strided(axes.iter().map(|&a| self.shape[a]).collect(), &strides, 0)
    }

    fn broadcast_to(&self, shape: &[usize]) -> Nd {
        let own = contiguous_strides(&self.shape);
        let extra = shape.len() - self.shape.len();
        let strides: Dims<isize> = (0..shape.len())
            .map(|a| if a < extra || self.shape[a - extra] == 1 { 0 } else { own[a - extra] })
            .collect();
        self.strided(shape.into(), &strides, 0)
    }

    fn nonzero(&self) -> Vec<Nd> {
        let strides = contiguous_strides(&self.shape);
        let places: Vec<i64> =
            (0..self.values.len() as i64).filter(|&i| self.values[i as usize] != 0).collect();
        (0..self.shape.len())
            .map(|a| {
                let along = |&p: &i64| p / strides[a] as i64 % self.shape[a] as i64;
                Nd::new([places.len()], places.iter().map(along).collect())
            })
            .collect()
    }

    /// Where each row of `Gather` starts, the length of a row, and the shape of the result.
    fn gather_rows(&self, indices: &[Nd], common: &[usize]) -> (Vec<usize>, usize, Shape) {
        let strides = contiguous_strides(&self.shape);
        let row: usize = self.shape[indices.len()..].iter().product();
        let mut starts = vec![0usize; common.iter().product()];
        for (axis, index) in indices.iter().enumerate() {
            for (start, &i) in starts.iter_mut().zip(&index.broadcast_to(common).values) {
                let i = if i < 0 { i + self.shape[axis] as i64 } else { i } as usize;
                assert!(i < self.shape[axis]);
                *start += i * strides[axis] as usize;
            }
        }
        if row == 0 {
            starts.fill(0);
        }
        let shape = common.iter().chain(&self.shape[indices.len()..]).copied().collect();
        (starts, row, shape)
    }

    fn gather(&self, indices: &[Nd], common: &[usize]) -> Nd {
        let (starts, row, shape) = self.gather_rows(indices, common);
        Nd { shape, values: starts.iter().flat_map(|&s| &self.values[s..s + row]).copied().collect() }
    }

    fn scatter(mut self, indices: &[Nd], common: &[usize], updates: &Nd) -> Nd {
        let (starts, row, shape) = self.gather_rows(indices, common);
        assert_eq!(shape, updates.shape);
        for (k, start) in starts.into_iter().enumerate() {
            self.values[start..start + row].copy_from_slice(&updates.values[k * row..(k + 1) * row]);
        }
        self
    }
}

/// An entry of an expression with the values of its array.
enum Entry {
    Plain(IndexKind<'static>),
    Array(Nd),
    Mask(Nd),
}

impl Entry {
    fn kind(&self) -> IndexKind<'_> {
        match self {
            Entry::Plain(kind) => *kind,
            Entry::Array(nd) => IndexKind::Array(&nd.shape),
            Entry::Mask(nd) => IndexKind::Mask(&nd.shape),
        }
    }
}

fn plan(shape: &[usize], entries: &[Entry]) -> ivy_core::Result<IndexPlan> {
    plan_index("get_item", shape, &entries.iter().map(Entry::kind).collect::<Vec<_>>())
}

/// The index arrays of a plan, masks expanded, and their common shape.
fn index_arrays(plan: &IndexPlan, entries: &[Entry]) -> (Vec<Nd>, Shape) {
    let Some(advanced) = &plan.advanced else { return (Vec::new(), Shape::default()) };
    let mut arrays = Vec::new();
    for array in &advanced.arrays {
        assert_eq!(advanced.front[arrays.len()], array.axis);
        match (&entries[array.entry], &array.mask_shape) {
            (Entry::Array(nd), None) => arrays.push(nd.clone()),
            (Entry::Mask(nd), Some(shape)) => arrays.extend(nd.clone().reshape(shape).nonzero()),
            _ => panic!("the plan names an entry that is no such array"),
        }
    }
    assert_eq!(arrays.len(), advanced.indexed());
    let shapes: Vec<_> = arrays.iter().map(|a| a.shape.clone()).collect();
    let common = broadcast("get_item", &shapes).unwrap();
    assert_eq!(common.len(), advanced.rank);
    assert!(advanced.index_shape.as_ref().is_none_or(|known| *known == common));
    (arrays, common)
}

fn get(x: &Nd, plan: &IndexPlan, entries: &[Entry]) -> Nd {
    let sliced = if plan.takes_all(&x.shape) { x.clone() } else { x.slice(&plan.slices) };
    let sliced = sliced.reshape(&plan.shape);
    let (arrays, common) = index_arrays(plan, entries);
    let result = match &plan.advanced {
        None => sliced,
        Some(a) => sliced.permute(&a.front).gather(&arrays, &common).permute(&a.to_place()),
    };
    assert_eq!(result.shape, plan.result_shape(&common));
    result
}

fn set(x: &Nd, plan: &IndexPlan, entries: &[Entry], value: &Nd) -> Nd {
    let (arrays, common) = index_arrays(plan, entries);
    let value = value.broadcast_to(&plan.result_shape(&common));
    let value = match &plan.advanced {
        None => value,
        Some(a) => x
            .slice(&plan.slices)
            .reshape(&plan.shape)
            .permute(&a.front)
            .scatter(&arrays, &common, &value.permute(&inverse_permutation(&a.to_place())))
            .permute(&inverse_permutation(&a.front)),
    };
    x.clone().set_slice(&plan.slices, &value.reshape(plan.slice_shape()))
}

fn numbers(value: &Value) -> Vec<i64> {
    value.as_array().unwrap().iter().map(|v| v.as_i64().unwrap()).collect()
}

fn nd(value: &Value) -> Nd {
    let shape: Shape = numbers(&value["shape"]).into_iter().map(|d| d as usize).collect();
    Nd::new(shape, numbers(&value["values"]))
}

fn entry(value: &Value) -> Entry {
    if let Some(i) = value.as_i64() {
        return Entry::Plain(IndexKind::Int(i));
    }
    match value.as_str() {
        Some("...") => return Entry::Plain(IndexKind::Ellipsis),
        Some("new") => return Entry::Plain(IndexKind::NewAxis),
        _ => {}
    }
    let object = value.as_object().unwrap();
    if let Some(slice) = object.get("slice") {
        let (start, stop) = (slice[0].as_i64(), slice[1].as_i64());
        return Entry::Plain(IndexKind::Slice { start, stop, step: slice[2].as_i64().unwrap_or(1) });
    }
    object.get("mask").map_or_else(|| Entry::Array(nd(&object["array"])), |mask| Entry::Mask(nd(mask)))
}

/// True if the error is the one that NumPy's message speaks of.
fn same_error(kind: &ErrorKind, message: &str) -> bool {
    match kind {
        ErrorKind::IndexOutOfRange { index, axis, length, .. } => {
            message == format!("index {index} is out of bounds for axis {axis} with size {length}")
        }
        ErrorKind::ShapeMismatch { .. } => message.starts_with("boolean index did not match"),
        ErrorKind::BroadcastShapes { .. } => message == "shape mismatch",
        ErrorKind::InvalidArgument { rule, .. } => {
            (rule.contains("more indices") && message.starts_with("too many indices"))
                || (rule.contains("one ellipsis") && message.contains("single ellipsis"))
                || (rule.contains("step") && message == "slice step cannot be zero")
        }
        _ => false,
    }
}

#[test]
fn numpy_selects_the_same() {
    let fixture: Value = serde_json::from_str(include_str!("../fixtures/numpy_indexing.json")).unwrap();
    let cases = fixture["cases"].as_array().unwrap();
    assert!(cases.len() >= 700);
    for case in cases {
        let shape: Vec<usize> = numbers(&case["shape"]).into_iter().map(|d| d as usize).collect();
        let entries: Vec<Entry> = case["index"].as_array().unwrap().iter().map(entry).collect();
        let plan = plan(&shape, &entries);
        if let Some(message) = case["error"].as_str() {
            // Positions in an index array are data, which the ops check.
            match plan {
                Err(error) => assert!(same_error(error.kind(), message), "{case}: {error}"),
                Ok(plan) => assert!(data_error(&plan, &entries), "{case}"),
            }
            continue;
        }
        let plan = plan.unwrap_or_else(|error| panic!("{case}: {error}"));
        let x = Nd::arange(&shape);
        let expected = nd(&case["result"]);
        assert_eq!(get(&x, &plan, &entries), expected, "{case}");
        // The result names the places: writing must change these and no others; of several for one place the last stays.
        let value = Nd::new(&expected.shape, (1..=expected.values.len() as i64).map(|v| -v).collect());
        let mut written = x.clone();
        for (&place, &v) in expected.values.iter().zip(&value.values) {
            written.values[place as usize] = v;
        }
        assert_eq!(set(&x, &plan, &entries, &value), written, "{case}");
    }
}

/// True if the values of masks and index arrays make the expression fail.
fn data_error(plan: &IndexPlan, entries: &[Entry]) -> bool {
    let mut shapes = Vec::new();
    let mut outside = false;
    for array in &plan.advanced.as_ref().unwrap().arrays {
        match &entries[array.entry] {
            Entry::Mask(nd) => shapes.push(Shape::from([nd.values.iter().filter(|&&v| v != 0).count()])),
            Entry::Array(nd) => {
                shapes.push(nd.shape.clone());
                let length = plan.shape[array.axis] as i64;
                outside |= nd.values.iter().any(|i| !(-length..length).contains(i));
            }
            Entry::Plain(_) => unreachable!(),
        }
    }
    outside || broadcast("get_item", &shapes).is_err()
}

/// Python's slice, walked step by step from its definition.
fn python_slice(length: i64, start: Option<i64>, stop: Option<i64>, step: i64) -> Vec<i64> {
    let from_end = |b: i64| if b < 0 { b + length } else { b };
    let mut out = Vec::new();
    // Walk from the start, wherever it is, and keep what lies on the axis.
    let mut at = match start {
        Some(b) if step > 0 => from_end(b).max(0),
        Some(b) => from_end(b).min(length - 1),
        None if step > 0 => 0,
        None => length - 1,
    };
    while (0..length).contains(&at) {
        match stop {
            Some(b) if step > 0 && at >= from_end(b) => break,
            Some(b) if step < 0 && at <= from_end(b).max(-1) => break,
            _ => out.push(at),
        }
        at += step;
    }
    out
}

#[test]
fn slices_are_pythons() {
    let bounds: Vec<Option<i64>> =
        [None, Some(i64::MIN), Some(i64::MAX)].into_iter().chain((-8..=8).map(Some)).collect();
    for length in 0..=6usize {
        for &start in &bounds {
            for &stop in &bounds {
                for step in (-8..=8).filter(|&s| s != 0).chain([i64::MIN, i64::MIN + 1, i64::MAX]) {
                    let s = resolve_slice("get_item", length, start, stop, step).unwrap();
                    let got: Vec<i64> =
                        (0..s.len as i64).map(|i| s.start as i64 + i * s.step as i64).collect();
                    // A step beyond the axis selects one position, as a step of its length does.
                    let near = step.clamp(-100, 100);
                    let near_bound = |b: Option<i64>| b.map(|b| b.clamp(-100, 100));
                    let expected = python_slice(length as i64, near_bound(start), near_bound(stop), near);
                    assert_eq!(got, expected, "{start:?}:{stop:?}:{step} of {length}");
                    assert!(s.step != 0 && (s.len > 0 || s.start == 0) && (s.len > 1 || s.step == 1));
                }
            }
        }
    }
    assert!(resolve_slice("get_item", 3, None, None, 0).is_err());
}

/// An axis (or several) of a result, for [`naive_get`].
enum Slot {
    /// Positions of an axis of the source.
    Positions(usize, Vec<i64>),
    New,
    /// Where an integer or array stands.
    Indexed,
}

/// Selects element by element, by the definition of indexing; `None` for an invalid expression.
fn naive_get(x: &Nd, entries: &[Entry]) -> Option<Nd> {
    let used = |entry: &Entry| match entry {
        Entry::Plain(IndexKind::Int(_) | IndexKind::Slice { .. }) | Entry::Array(_) => 1,
        Entry::Mask(mask) => mask.shape.len(),
        Entry::Plain(_) => 0,
    };
    let left = x.shape.len().checked_sub(entries.iter().map(used).sum())?;
    let ellipses = entries.iter().filter(|e| matches!(e, Entry::Plain(IndexKind::Ellipsis))).count();
    let (mut slots, mut arrays, mut axis) = (Vec::new(), Vec::new(), 0);
    let whole = |axis: usize| Slot::Positions(axis, (0..x.shape[axis] as i64).collect());
    for entry in entries {
        match entry {
            Entry::Plain(IndexKind::Int(i)) => {
                slots.push(Slot::Indexed);
                arrays.push((axis, Nd::new((), vec![*i])));
            }
            Entry::Plain(IndexKind::Slice { start, stop, step }) => {
                slots.push(Slot::Positions(axis, python_slice(x.shape[axis] as i64, *start, *stop, *step)));
            }
            Entry::Plain(IndexKind::NewAxis) => slots.push(Slot::New),
            Entry::Plain(_) if ellipses > 1 => return None,
            Entry::Plain(_) => {
                slots.extend((axis..axis + left).map(whole));
                axis += left;
                // Even no axes at all keep what stands on both sides apart.
                slots.push(Slot::Positions(usize::MAX, vec![0]));
            }
            Entry::Array(array) => {
                slots.push(Slot::Indexed);
                arrays.push((axis, array.clone()));
            }
            Entry::Mask(mask) => {
                slots.push(Slot::Indexed);
                if mask.shape.is_empty() {
                    arrays.push((
                        usize::MAX,
                        Nd::new([mask.values[0] as usize], vec![0; mask.values[0] as usize]),
                    ));
                }
                if mask.shape[..] != x.shape[axis..axis + mask.shape.len()] {
                    return None;
                }
                arrays.extend(mask.nonzero().into_iter().enumerate().map(|(i, index)| (axis + i, index)));
            }
        }
        axis += used(entry);
    }
    slots.extend((axis..x.shape.len()).map(whole));
    let outside = |(axis, array): &(usize, Nd)| {
        let length = x.shape.get(*axis).map_or(1, |&d| d as i64);
        array.values.iter().any(|i| !(-length..length).contains(i))
    };
    let shapes: Vec<_> = arrays.iter().map(|(_, array)| array.shape.clone()).collect();
    let common = broadcast("get_item", &shapes).ok()?;
    if arrays.iter().any(outside) {
        return None;
    }
    let arrays: Vec<_> =
        arrays.into_iter().map(|(axis, array)| (axis, array.broadcast_to(&common))).collect();
    // Where the axes of the index arrays go: in place of a single run, else to the front.
    let runs = slots.chunk_by(|a, b| matches!((a, b), (Slot::Indexed, Slot::Indexed)));
    let runs = runs.filter(|run| matches!(run[0], Slot::Indexed)).count();
    let first = slots.iter().position(|slot| matches!(slot, Slot::Indexed)).unwrap_or(0);
    let place = if runs == 1 { first } else { 0 };
    slots.retain(|slot| !matches!(slot, Slot::Indexed));
    let (before, after) = slots.split_at(place);
    let length = |slot: &Slot| match slot {
        Slot::Positions(usize::MAX, _) => None,
        Slot::Positions(_, positions) => Some(positions.len()),
        _ => Some(1),
    };
    let shape: Shape = before
        .iter()
        .filter_map(length)
        .chain(common.iter().copied())
        .chain(after.iter().filter_map(length))
        .collect();
    let source_strides = contiguous_strides(&x.shape);
    let stride = |axis: usize| source_strides.get(axis).copied().unwrap_or(0) as i64;
    let mut values = Vec::new();
    for number in 0..shape.size() {
        // The index of the element, last axis first.
        let mut rest = number;
        let mut digits: Vec<usize> = shape.iter().rev().map(|&d| (rest % d, rest /= d).0).collect();
        let mut offset = 0;
        for slot in before {
            offset += slot_offset(slot, &mut digits, &stride);
        }
        let flat = common.iter().fold(0, |flat, &d| flat * d + digits.pop().unwrap());
        for (axis, array) in &arrays {
            let i = array.values[flat];
            let length = x.shape.get(*axis).map_or(0, |&d| d as i64);
            offset += (if i < 0 { i + length } else { i }) * stride(*axis);
        }
        for slot in after {
            offset += slot_offset(slot, &mut digits, &stride);
        }
        values.push(x.values[offset as usize]);
    }
    Some(Nd::new(shape, values))
}

fn slot_offset(slot: &Slot, digits: &mut Vec<usize>, stride: &dyn Fn(usize) -> i64) -> i64 {
    match slot {
        Slot::Positions(usize::MAX, _) | Slot::Indexed => 0,
        Slot::Positions(axis, positions) => positions[digits.pop().unwrap()] * stride(*axis),
        Slot::New => {
            digits.pop();
            0
        }
    }
}

/// Entries of every kind that could make sense for a shape.
fn menu(shape: &[usize]) -> Vec<Entry> {
    let slice = |start, stop, step| Entry::Plain(IndexKind::Slice { start, stop, step });
    let mut menu = vec![
        Entry::Plain(IndexKind::Int(-1)),
        Entry::Plain(IndexKind::Int(1)),
        slice(None, None, 1),
        slice(Some(1), None, 1),
        slice(None, None, -2),
        Entry::Plain(IndexKind::Ellipsis),
        Entry::Plain(IndexKind::NewAxis),
        Entry::Array(Nd::new((), vec![0])),
        Entry::Array(Nd::new([2], vec![0, -1])),
        Entry::Array(Nd::new([2, 1], vec![-1, 0])),
        Entry::Mask(Nd::new((), vec![1])),
    ];
    for start in 0..shape.len() {
        for end in start + 1..=shape.len() {
            let size = shape[start..end].iter().product::<usize>() as i64;
            menu.push(Entry::Mask(Nd::new(&shape[start..end], (0..size).map(|i| (i + 1) % 2).collect())));
        }
    }
    menu
}

#[test]
fn every_short_expression_selects_what_its_definition_says() {
    let shapes: [(&[usize], usize); 6] =
        [(&[], 3), (&[2], 4), (&[0], 3), (&[2, 3], 3), (&[3, 1], 3), (&[2, 1, 3], 3)];
    let mut selected = 0;
    for (shape, longest) in shapes {
        let (x, choices) = (Nd::arange(shape), menu(shape).len());
        for length in 0..=longest {
            for number in 0..choices.pow(length as u32) {
                let entries: Vec<Entry> = (0..length as u32)
                    .map(|k| menu(shape).swap_remove(number / choices.pow(k) % choices))
                    .collect();
                let kinds = || entries.iter().map(Entry::kind).collect::<Vec<_>>();
                match (plan(shape, &entries), naive_get(&x, &entries)) {
                    (Ok(plan), Some(expected)) => {
                        assert_eq!(get(&x, &plan, &entries), expected, "{shape:?} {:?}", kinds());
                        selected += 1;
                    }
                    (Ok(plan), None) => assert!(data_error(&plan, &entries), "{shape:?} {:?}", kinds()),
                    (Err(_), None) => {}
                    (Err(error), Some(_)) => panic!("{shape:?} {:?}: {error}", kinds()),
                }
            }
        }
    }
    assert!(selected > 5000, "{selected} valid expressions");
}
