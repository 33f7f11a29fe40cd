//! Switches of the optimisations. They change no bit of a result.

/// What the engine does beside what it must.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Operations on literals, and those that change nothing, are not noted.
    pub folding: bool,
    /// Equal operations are one node.
    pub numbering: bool,
    /// Operations wait for others; else each is done at once.
    pub fusion: bool,
    /// Views of what is pending are maps in its kernel; else it is evaluated first.
    pub views: bool,
    /// Folds are fused with what they fold; else that is evaluated first.
    pub folds: bool,
    /// Small steps through memory are whole vectors, of which some lanes are taken.
    pub steps: bool,
    /// Large results are written past the caches.
    pub streams: bool,
    /// Rows that stand side by side are turned in tiles; else they are read element by element.
    pub tiles: bool,
}

impl Settings {
    pub(super) const fn bits(self) -> u8 {
        self.folding as u8
            | (self.numbering as u8) << 1
            | (self.fusion as u8) << 2
            | (self.views as u8) << 3
            | (self.folds as u8) << 4
            | (self.steps as u8) << 5
            | (self.streams as u8) << 6
            | (self.tiles as u8) << 7
    }

    /// The switches in order, the first one in the lowest bit.
    pub const fn of(bits: u8) -> Settings {
        Settings {
            folding: bits & 1 > 0,
            numbering: bits & 2 > 0,
            fusion: bits & 4 > 0,
            views: bits & 8 > 0,
            folds: bits & 16 > 0,
            steps: bits & 32 > 0,
            streams: bits & 64 > 0,
            tiles: bits & 128 > 0,
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::of(u8::MAX)
    }
}
