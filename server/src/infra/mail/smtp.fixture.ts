import { createServer, type AddressInfo, type Socket } from 'node:net'

export type MailServer = { url: string; mails: string[]; close(): void }

/** A minimal SMTP server. `refusal` is its answer to RCPT; maildev, which other tests use, accepts every recipient. */
export async function openMailServer(refusal: string | null = null): Promise<MailServer> {
  const mails: string[] = []
  const server = createServer((socket) => handleSession(socket, mails, refusal))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    close: () => void server.close(),
  }
}

function handleSession(socket: Socket, mails: string[], refusal: string | null): void {
  let mail: string | null = null
  const reply = (line: string) => socket.write(`${line}\r\n`)
  reply('220 ready')
  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    const text = bytes.toString()
    if (mail !== null) {
      mail += text
      if (!mail.endsWith('\r\n.\r\n')) return
      mails.push(mail)
      mail = null
      return reply('250 accepted')
    }
    for (const line of text.trim().split('\r\n')) {
      if (line === 'DATA') mail = ''
      reply(line === 'DATA' ? '354 send the mail' : line.startsWith('RCPT') && refusal ? refusal : '250 ok')
    }
  })
}
