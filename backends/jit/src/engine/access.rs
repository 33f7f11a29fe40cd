//! How the kernel of a job finds its inputs' elements.

use super::Settings;
use crate::ir::Access;
use crate::runtime::cpu::Space;
use crate::schedule::Job;
use smallvec::SmallVec;

/// The access of each input, by a kernel whose results are written like this.
pub(super) fn accesses(
    job: &Job,
    space: &Space<'_>,
    result: Access,
    settings: Settings,
) -> SmallVec<[Access; 8]> {
    let (folds, large) = (job.fold.is_some(), result == Access::Stream);
    let tiles = settings.tiles && !folds;
    // A small single row has a shorter way when it is launched again, on other memory.
    let beside = settings.beside && !folds && (large || space.rows() > 1);
    let plain = |i, ahead| space.access(i, settings.steps, tiles, ahead);
    let near = |i| if beside { space.beside(i) } else { None };
    let mut all: SmallVec<[Access; 8]> =
        (0..job.inputs()).map(|i| near(i).unwrap_or_else(|| plain(i, settings.ahead && folds))).collect();
    // What is large enough to go past the caches comes from beyond them. A processor follows several
    // streams by itself, and asking for them would be in its way; a single one it follows too late.
    if settings.ahead && large {
        let asks = |i: usize| {
            let reader = all[i].beside().map_or(i, |(leader, _)| leader.into());
            let access = plain(reader, true);
            (access.asks() && space.leads(i)).then_some((reader, access))
        };
        let mut first = (0..all.len()).filter_map(asks);
        if let (Some((reader, access)), None) = (first.next(), first.next()) {
            all[reader] = access;
        }
    }
    all
}
