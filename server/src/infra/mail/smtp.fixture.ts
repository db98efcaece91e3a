import { createServer, type AddressInfo, type Socket } from 'node:net'

export type MailServer = { url: string; letters: string[]; close(): void }

/** As much of a mail server as one letter needs; `refusal` is its answer to the recipient. A real one takes everybody. */
export async function openMailServer(refusal: string | null = null): Promise<MailServer> {
  const letters: string[] = []
  const server = createServer((socket) => converse(socket, letters, refusal))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    letters,
    close: () => void server.close(),
  }
}

function converse(socket: Socket, letters: string[], refusal: string | null): void {
  let letter: string | null = null
  const say = (line: string) => socket.write(`${line}\r\n`)
  say('220 tower')
  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    const text = bytes.toString()
    if (letter !== null) {
      letter += text
      if (!letter.endsWith('\r\n.\r\n')) return
      letters.push(letter)
      letter = null
      return say('250 taken')
    }
    for (const line of text.trim().split('\r\n')) {
      if (line === 'DATA') letter = ''
      say(line === 'DATA' ? '354 go on' : line.startsWith('RCPT') && refusal ? refusal : '250 tower')
    }
  })
}
