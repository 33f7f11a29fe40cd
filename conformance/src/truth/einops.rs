//! Patterns of axes by their definition: each element of the result from those whose axes have the same values.

use super::num::Num;
use super::value::Value;
use super::{Call, Truth, indices, place, reduce};
use ivy_core::function::ParamValue;
use std::collections::BTreeMap;

/// The axes of an array, each as the names of what it is made of; a length is a name of its own.
type Side = Vec<Vec<String>>;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    let reduction = match call.function {
        "einops_rearrange" | "einops_repeat" => None,
        "einops_reduce" => Some(call.word("reduction").unwrap_or("sum")),
        _ => return None,
    };
    let x = match reduction {
        Some("any" | "all") => call.given(0)?,
        _ => call.operand(0)?,
    };
    let (left, right) = call.word("pattern")?.split_once("->")?;
    let rest = x.shape.len() + 1 - words(left).len();
    let (left, right) = (side(left, rest, "l"), side(right, rest, "r"));
    let mut lengths: BTreeMap<String, usize> = BTreeMap::new();
    if let Some(ParamValue::Named(pairs)) = call.keyword("axes_lengths") {
        lengths.extend(pairs.iter().map(|(name, n)| (name.clone(), *n as usize)));
    }
    for name in left.iter().chain(&right).flatten() {
        if let Some(n) = name.strip_prefix(['l', 'r']).and_then(|n| n.split('_').next()?.parse().ok()) {
            lengths.insert(name.clone(), n);
        }
    }
    for (group, &len) in left.iter().zip(&x.shape) {
        let known: usize = group.iter().filter_map(|name| lengths.get(name)).product();
        for name in group {
            lengths.entry(name.clone()).or_insert(len / known.max(1));
        }
    }
    let long = |group: &Vec<String>| group.iter().map(|name| lengths[name]).product::<usize>();
    let shape: Vec<usize> = right.iter().map(long).collect();
    // All axes of both sides: where their elements come from and go to.
    let names: Vec<&String> = lengths.keys().collect();
    let lens: Vec<usize> = lengths.values().copied().collect();
    let mut groups: Vec<Vec<Num>> = vec![Vec::new(); shape.iter().product()];
    for values in indices(&lens) {
        let at = |side: &Side| -> Vec<usize> {
            let one = |group: &Vec<String>| {
                group.iter().fold(0, |at, name| {
                    let i = names.iter().position(|n| *n == name).expect("it has a length");
                    at * lens[i] + values[i]
                })
            };
            side.iter().map(one).collect()
        };
        groups[place(&at(&right), &shape)].push(x.data[place(&at(&left), &x.shape)]);
    }
    let data = match reduction {
        None => groups.iter().map(|group| Value::Exact(group[0])).collect(),
        Some(word) => {
            let call = Call { function: word, ..*call };
            groups.iter().map(|group| reduce::reduce(&call, group)).collect::<Option<_>>()?
        }
    };
    Some(vec![Truth { dtype: call.output(0), shape, data }])
}

/// The axes of a side as they are written.
fn words(side: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in side.replace('(', " ( ").replace(')', " ) ").split_whitespace() {
        match words.last_mut() {
            Some(open) if open.starts_with('(') && !open.ends_with(')') => *open += &format!(" {word}"),
            _ => words.push(word.into()),
        }
    }
    words
}

/// The names of the axes, those of `...` by their numbers.
fn side(text: &str, rest: usize, mark: &str) -> Side {
    let mut lengths = 0;
    let mut names = |word: &str| -> Vec<String> {
        match word {
            "(" | ")" | "1" => vec![],
            "..." => (0..rest).map(|k| format!("...{k}")).collect(),
            _ if word.parse::<usize>().is_ok() => {
                lengths += 1;
                vec![format!("{mark}{word}_{lengths}")]
            }
            _ => vec![word.into()],
        }
    };
    let mut side = Side::new();
    for word in words(text) {
        let parts: Vec<String> = word.split_whitespace().flat_map(&mut names).collect();
        match &word[..] {
            "..." => side.extend(parts.into_iter().map(|name| vec![name])),
            _ => side.push(parts),
        }
    }
    side
}
