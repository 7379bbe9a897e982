//! A server of S3 on the loopback interface, with an empty bucket in a directory that vanishes with
//! it.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Its name.
pub(crate) const BUCKET: &str = "chains";
const ACCESS: [&str; 2] = ["lightproof", "of this machine alone"];
/// Only a fault takes this long.
const PATIENCE: Duration = Duration::from_mins(1);

/// versitygw, if it is there. A run in CI has it.
pub(crate) fn program() -> Option<PathBuf> {
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.tools/versitygw");
    let program = std::env::var_os("LIGHTPROOF_S3_SERVER").map_or(built, PathBuf::from);
    if program.is_file() {
        return Some(program);
    }
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{} is missing", program.display());
    println!("SKIPPED: versitygw is not built (npm test -- --suite rust)");
    None
}

#[derive(Debug)]
pub(crate) struct S3 {
    child: Child,
    endpoint: String,
    _directory: tempfile::TempDir,
}

impl S3 {
    pub(crate) fn start(program: &Path) -> Self {
        let directory = tempfile::tempdir().unwrap();
        // A directory is a bucket.
        std::fs::create_dir(directory.path().join(BUCKET)).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let address = format!("127.0.0.1:{port}");
        let child = Command::new(program)
            .args(["--port", &address, "--access", ACCESS[0], "--secret", ACCESS[1], "--quiet"])
            .arg("posix")
            .arg(directory.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Self { child, endpoint: format!("http://{address}"), _directory: directory };
        let began = Instant::now();
        while std::net::TcpStream::connect(&address).is_err() {
            assert!(began.elapsed() < PATIENCE, "versitygw does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }

    /// Where it listens.
    #[allow(dead_code, reason = "not all tests put something before it")]
    pub(crate) fn address(&self) -> std::net::SocketAddr {
        self.endpoint.trim_start_matches("http://").parse().unwrap()
    }

    /// What a program that uses the store finds in its environment.
    pub(crate) fn environment(&self) -> [(&'static str, &str); 5] {
        [
            ("AWS_ACCESS_KEY_ID", ACCESS[0]),
            ("AWS_SECRET_ACCESS_KEY", ACCESS[1]),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ENDPOINT", &self.endpoint),
            ("AWS_ALLOW_HTTP", "true"),
        ]
    }
}

impl Drop for S3 {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
