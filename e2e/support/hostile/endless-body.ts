import type { ServerResponse } from 'node:http'

/** Writes as fast as the other side reads, until it closes the connection. */
export function writeEndlessly(response: ServerResponse): void {
  const write = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
  }
  response.on('drain', write)
  write()
}

/** Writes a byte twice a second, so that no wait for the next byte is long, until the other side closes the connection. */
export function writeSlowly(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 500)
  response.on('close', () => clearInterval(timer))
}
