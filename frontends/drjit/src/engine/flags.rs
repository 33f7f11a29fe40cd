//! Dr.Jit's flags, as far as the engine has such switches.

use super::Jit;
use ivy_backend_jit::engine::{Engine, Settings};
use std::fmt;
use std::str::FromStr;

/// How a flag is read and set.
struct Switch {
    get: fn(&Engine) -> bool,
    set: fn(&Engine, bool),
}

/// Changes the switches of an engine.
fn change(engine: &Engine, to: impl FnOnce(&mut Settings)) {
    let mut settings = engine.settings();
    to(&mut settings);
    engine.set_settings(settings);
}

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident $get:expr, $set:expr;)*) => {
        /// A flag of Dr.Jit's that the engine has. They change no bit of a result.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum JitFlag {
            $($(#[$doc])* $name,)*
        }

        impl JitFlag {
            /// Every flag.
            pub const ALL: &[JitFlag] = &[$(JitFlag::$name),*];

            /// The name, as Dr.Jit has it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(JitFlag::$name => stringify!($name),)*
                }
            }

            fn switch(self) -> Switch {
                match self {
                    $(JitFlag::$name => Switch { get: $get, set: $set },)*
                }
            }
        }
    };
}
flags! {
    /// Errors say where in the program a call was made that is evaluated later.
    Debug |engine| engine.debug(), |engine, on| _ = engine.set_debug(on);
    /// Operations on literals are done at once, and those that change nothing not at all.
    ConstantPropagation |engine| engine.settings().folding, |engine, on| change(engine, |own| own.folding = on);
    /// Equal operations are one variable.
    ValueNumbering |engine| engine.settings().numbering, |engine, on| change(engine, |own| own.numbering = on);
    /// Loops and conditionals are recorded, else they go step by step.
    SymbolicLoops |engine| engine.settings().loops, |engine, on| change(engine, |own| own.loops = on);
    /// Loops do not carry what is not needed or never changes, and what is the same in each iteration is computed before them.
    OptimizeLoops |engine| engine.settings().state && engine.settings().hoisting, |engine, on| change(engine, |own| {
        (own.state, own.hoisting) = (on, on);
    });
    /// Elements that go on when most of those beside them have ended are put together.
    CompressLoops |engine| engine.settings().packing, |engine, on| change(engine, |own| own.packing = on);
    /// The program waits for each launch.
    LaunchBlocking |engine| !engine.settings().asynchronous, |engine, on| change(engine, |own| own.asynchronous = !on);
    /// Frozen functions are replayed, else they are called.
    KernelFreezing |engine| engine.settings().replay, |engine, on| change(engine, |own| own.replay = on);
}

impl fmt::Display for JitFlag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// From Dr.Jit's name.
impl FromStr for JitFlag {
    type Err = crate::Error;

    fn from_str(name: &str) -> crate::Result<JitFlag> {
        let found = JitFlag::ALL.iter().find(|flag| flag.name() == name);
        found.copied().ok_or_else(|| crate::Error::InvalidArgument {
            function: "JitFlag",
            argument: "name",
            value: name.into(),
            rule: "a flag for which the engine has a switch",
        })
    }
}

impl Jit {
    /// Whether a flag is on (`dr.flag`).
    pub fn flag(&self, flag: JitFlag) -> bool {
        (flag.switch().get)(self.engine())
    }

    /// Iterations a flag on or off, for all that use the engine; says what it was (`dr.set_flag`).
    pub fn set_flag(&self, flag: JitFlag, on: bool) -> bool {
        let before = self.flag(flag);
        (flag.switch().set)(self.engine(), on);
        before
    }

    /// Iterations a flag on or off until the scope is dropped (`dr.scoped_set_flag`).
    #[must_use = "the flag is as before when this is dropped"]
    pub fn scoped_set_flag(&self, flag: JitFlag, on: bool) -> FlagScope {
        let before = self.set_flag(flag, on);
        FlagScope { jit: self.clone(), flag, before }
    }
}

/// A scope in which a flag is on or off.
pub struct FlagScope {
    jit: Jit,
    flag: JitFlag,
    before: bool,
}

impl Drop for FlagScope {
    fn drop(&mut self) {
        self.jit.set_flag(self.flag, self.before);
    }
}
