//! The committed arbitrary-precision results for float64 (`data/float64_goldens.tsv`).

use super::dd::Dd;
use std::collections::HashMap;
use std::sync::OnceLock;

const TABLE: &str = include_str!("../../data/float64_goldens.tsv");

#[derive(Default)]
struct Rows {
    results: HashMap<Vec<u64>, Vec<Dd>>,
    operands: Vec<Vec<f64>>,
}

fn table() -> &'static HashMap<&'static str, Rows> {
    static PARSED: OnceLock<HashMap<&'static str, Rows>> = OnceLock::new();
    PARSED.get_or_init(|| {
        let mut table: HashMap<&'static str, Rows> = HashMap::new();
        for line in TABLE.lines().filter(|l| !l.starts_with('#')) {
            let mut cells = line.split('\t');
            let name = cells.next().expect("a function");
            let bits: Vec<u64> =
                cells.map(|c| u64::from_str_radix(c, 16).expect("64 bits in hexadecimal")).collect();
            // A complex result is two parts, each a value and a rest.
            let results = if name.starts_with("c_") { 4 } else { 2 };
            let (operands, result) = bits.split_at(bits.len() - results);
            let float = |b: &u64| f64::from_bits(*b);
            let parts = result.chunks(2).map(|p| Dd { hi: float(&p[0]), lo: float(&p[1]) }).collect();
            let rows = table.entry(name).or_default();
            rows.operands.push(operands.iter().map(float).collect());
            rows.results.insert(operands.to_vec(), parts);
        }
        table
    })
}

/// The parts of the result of a function (`c_` before the name for complex operands) at
/// operands that the table has.
pub fn find(name: &str, operands: &[f64]) -> Option<&'static [Dd]> {
    let key: Vec<u64> = operands.iter().map(|x| x.to_bits()).collect();
    Some(table().get(name)?.results.get(&key)?.as_slice())
}

/// The operands that the table has for a function.
pub fn operands(name: &str) -> &'static [Vec<f64>] {
    table().get(name).map_or(&[], |rows| rows.operands.as_slice())
}

/// The functions of the table.
pub fn functions() -> Vec<&'static str> {
    let mut names: Vec<_> = table().keys().copied().collect();
    names.sort_unstable();
    names
}
