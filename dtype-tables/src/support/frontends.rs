//! What Ivy declares of its frontends' functions, by version: rows in the grammar of the backends' tables, whose
//! functions are paths below the framework's namespace (`nn.functional.softmax`, `Tensor.add`).

use super::{parse::parse_table, table::Table};
use std::sync::LazyLock;

macro_rules! embedded_frontends {
    ($($frontend:literal)*) => { &[$((
        $frontend,
        concat!("dtype-tables/support/declared/frontends/", $frontend, ".tsv"),
        include_str!(concat!("../../support/declared/frontends/", $frontend, ".tsv")),
    )),*] };
}

/// What Ivy 1.0.0.5 declares of its frontends: frontend, file, text.
pub static FRONTENDS: &[(&str, &str, &str)] =
    embedded_frontends!["numpy" "torch" "jax" "tensorflow" "paddle"];

/// The folder of these tables, by which the linter knows that their functions are a framework's.
pub(crate) const FOLDER: &str = "declared/frontends/";

/// The declared table of a frontend, or `None` for one that has none.
///
/// ```
/// use ivy_dtype_tables::support::{Device, dtype_names, frontend_table};
/// let torch = frontend_table("torch").unwrap();
/// let answer = torch.lookup("nn.functional.softmax", Device::Cpu, &"2.2".parse().unwrap()).unwrap();
/// assert_eq!(dtype_names(answer.dtypes), ["float16"]);
/// ```
pub fn frontend_table(frontend: &str) -> Option<&'static Table> {
    static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
        FRONTENDS.iter().filter_map(|(_, file, text)| parse_table(file, text).ok()).collect()
    });
    TABLES.iter().find(|t| t.backend == frontend)
}

/// The functions of a table that a name may mean: the one of this path, else those outside types whose path ends with
/// it, else all whose path ends with it.
///
/// ```
/// use ivy_dtype_tables::support::{frontend_functions, frontend_table};
/// let torch = frontend_table("torch").unwrap();
/// assert_eq!(frontend_functions(torch, "softmax"), ["nn.functional.softmax"]);
/// assert_eq!(frontend_functions(torch, "Tensor.softmax"), ["Tensor.softmax"]);
/// assert!(frontend_functions(torch, "softmix").is_empty());
/// ```
pub fn frontend_functions<'t>(table: &'t Table, name: &str) -> Vec<&'t str> {
    if let Some(path) = table.functions().find(|f| *f == name) {
        return vec![path];
    }
    let ends: Vec<&str> = table.functions().filter(|f| f.rsplit('.').next() == Some(name)).collect();
    let is_method =
        |f: &&str| f.split('.').rev().nth(1).is_some_and(|t| t.starts_with(|c: char| c.is_uppercase()));
    let plain: Vec<&str> = ends.iter().copied().filter(|f| !is_method(f)).collect();
    if plain.is_empty() { ends } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_tables_read_without_errors() {
        let mut rows = 0;
        for (frontend, file, text) in FRONTENDS {
            let table = parse_table(file, text).unwrap_or_else(|e| panic!("{e:?}"));
            assert_eq!(table.backend, *frontend);
            rows += table.rows().len();
        }
        assert!(rows > 1000, "{rows} rows");
    }
}
