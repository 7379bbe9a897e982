//! Where a node listens.

use std::io;
use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpSocket};

/// Connections that may wait until they are accepted. The system may reset those of a larger burst.
/// The runtime's default, 128, is less than a node has places for.
const WAITING: u32 = 1024;

/// Binds the address that a flag names. Returns the bound address, too: port 0 takes any free port.
///
/// # Errors
/// What the operating system says, and what to do.
pub(super) fn listen(address: SocketAddr, flag: &str) -> Result<(TcpListener, SocketAddr), String> {
    bind(address).map_err(|error| {
        format!("cannot listen on {address}: {error}; choose another address with {flag}")
    })
}

fn bind(address: SocketAddr) -> io::Result<(TcpListener, SocketAddr)> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Without it the port is taken for a minute after a node has ended.
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    let listener = socket.listen(WAITING)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;
    use std::time::Duration;

    use lightproof_node::server::MAX_CONNECTIONS;

    use super::*;

    fn any(address: &str) -> SocketAddr {
        address.parse().unwrap()
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn as_many_as_are_served_may_wait_at_once() {
        let (_listener, address) = listen(any("127.0.0.1:0"), "--listen").unwrap();
        for number in 1..=MAX_CONNECTIONS {
            let waiting = TcpStream::connect_timeout(&address, Duration::from_secs(20));
            assert!(waiting.is_ok(), "connection {number} has no place");
        }
    }

    #[tokio::test]
    async fn a_taken_address_is_named_with_its_flag() {
        let (_listener, address) = listen(any("127.0.0.1:0"), "--push").unwrap();
        let problem = listen(address, "--push").unwrap_err();
        assert!(problem.starts_with(&format!("cannot listen on {address}: ")), "{problem}");
        assert!(problem.ends_with("; choose another address with --push"), "{problem}");
    }
}
