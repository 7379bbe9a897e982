//! The node as a whole: its chain, its replies, its lies, its end.

mod answers;
mod attest;
#[cfg(unix)]
mod attest_kill;
mod balanceproofs;
mod client;
mod clock;
mod cole;
#[cfg(unix)]
mod disk;
#[cfg(all(unix, feature = "object-store"))]
#[path = "../support/proxy.rs"]
mod faulty;
mod get;
mod health;
mod history;
mod http;
#[cfg(unix)]
mod kill;
#[cfg(unix)]
#[path = "../support/kills.rs"]
mod kills;
#[cfg(target_os = "linux")]
mod large;
mod late;
mod lies;
mod lmpt;
#[cfg(feature = "object-store")]
mod looks;
mod lvmt;
mod metrics;
mod model;
#[cfg(unix)]
mod operate;
#[cfg(unix)]
mod program;
mod prove;
#[cfg(feature = "object-store")]
mod pruned;
mod push;
#[cfg(feature = "object-store")]
mod readers;
mod rpc;
#[cfg(all(unix, feature = "object-store"))]
#[path = "../../../prover/tests/support/s3.rs"]
mod s3;
#[cfg(all(unix, feature = "object-store"))]
mod serve;
mod setup;
mod signed;
mod source;
#[cfg(feature = "object-store")]
mod store;
#[cfg(all(unix, feature = "object-store"))]
mod store_faults;
#[cfg(all(unix, feature = "object-store"))]
mod store_kill;
mod systems;
#[cfg(all(feature = "object-store", unix))]
mod takeover;
mod verify;
mod verkle;
