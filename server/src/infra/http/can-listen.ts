import { createServer } from 'node:net'

const problems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it',
  EACCES: 'this user may not use ports below 1024',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'the host name is not known',
}

/** Null if a server could listen there now, otherwise why not. */
export function canListen({ host, port }: { host: string; port: number }): Promise<string | null> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', ({ code = '', message }: NodeJS.ErrnoException) => done(problems[code] ?? message))
    server.listen(port, host, () => server.close(() => done(null)))
  })
}
