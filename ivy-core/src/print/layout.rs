//! Brackets, lines and summaries.

use crate::{Dims, host::HostArray};

/// The positions of an axis that are shown: all, or `edge` at each end of a long one, of which
/// the last is shown always.
fn positions(len: usize, edge: Option<usize>) -> impl Iterator<Item = usize> + Clone {
    let edge = edge.filter(|&edge| len > edge.saturating_mul(2));
    let (head, tail) = edge.map_or((len, len), |edge| (edge, len - edge.max(1)));
    (0..head).chain(tail..len)
}

/// The offsets from the first element of all elements that decide the format, in row-major
/// order: those that are shown, and all if `edge` is 0.
pub(super) fn shown(shape: &[usize], strides: &[isize], edge: Option<usize>) -> Vec<isize> {
    let edge = edge.filter(|&edge| edge > 0);
    shape.iter().zip(strides).fold(vec![0], |outer, (&len, &stride)| {
        let along = positions(len, edge).map(|i| i as isize * stride);
        outer.into_iter().flat_map(|offset| along.clone().map(move |o| offset + o)).collect()
    })
}

/// An array, and how its parts are put together.
pub(super) struct Layout<'a> {
    pub array: &'a HostArray,
    /// How many elements a summary shows at each end of an axis; `None` shows all.
    pub edge: Option<usize>,
    pub separator: &'a str,
    /// The text of the element at an offset from the first.
    pub write: &'a dyn Fn(isize) -> String,
}

impl Layout<'_> {
    /// The text, of which all lines but the first start with `indent` spaces.
    pub fn text(&self, indent: usize, width: usize) -> String {
        let mut out = String::new();
        self.part(&mut out, 0, 0, indent, width);
        out
    }

    /// What stands along an axis: offsets, and `None` for the dots.
    fn entries(&self, axis: usize, offset: isize) -> Dims<Option<isize>> {
        let (len, stride) = (self.array.shape()[axis], self.array.strides()[axis]);
        let mut entries: Dims<Option<isize>> =
            positions(len, self.edge).map(|i| Some(offset + i as isize * stride)).collect();
        if self.edge.is_some_and(|edge| len > edge.saturating_mul(2)) {
            entries.insert(self.edge.unwrap_or(0), None);
        }
        entries
    }

    fn part(&self, out: &mut String, axis: usize, offset: isize, indent: usize, width: usize) {
        let left = self.array.shape().len() - axis;
        match left {
            0 => out.push_str(&(self.write)(offset)),
            1 => self.row(out, axis, offset, indent, width),
            _ => {
                out.push('[');
                for (i, entry) in self.entries(axis, offset).into_iter().enumerate() {
                    if i > 0 {
                        out.push_str(self.separator.trim_end());
                        (1..left).for_each(|_| out.push('\n'));
                        (0..indent).for_each(|_| out.push(' '));
                    }
                    match entry {
                        Some(offset) => {
                            self.part(out, axis + 1, offset, indent + 1, width.saturating_sub(1));
                        }
                        None => out.push_str("..."),
                    }
                }
                out.push(']');
            }
        }
    }

    /// The innermost axis, broken into lines of the width where that helps.
    fn row(&self, out: &mut String, axis: usize, offset: isize, indent: usize, width: usize) {
        // A separator or bracket must still fit behind each element.
        let width = width.saturating_sub(self.separator.trim_end().len().max(1));
        let (indentation, mut line) = (" ".repeat(indent), String::new());
        let mut line_len = indent;
        out.push('[');
        for (i, entry) in self.entries(axis, offset).into_iter().enumerate() {
            if i > 0 {
                line.push_str(self.separator);
                line_len += self.separator.len();
            }
            let word = entry.map_or_else(|| "...".into(), |offset| (self.write)(offset));
            if line_len + word.len() > width && line_len > indent {
                out.push_str(line.trim_end());
                out.push('\n');
                line.clone_from(&indentation);
                line_len = indent;
            }
            line_len += word.len();
            line.push_str(&word);
        }
        out.push_str(&line);
        out.push(']');
    }
}
