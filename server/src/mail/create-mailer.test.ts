import { createServer, type AddressInfo, type Socket } from 'node:net'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { composeMail } from './compose-mail.ts'
import { createMailer } from './create-mailer.ts'

const mail = composeMail({
  to: 'ben@tower.example',
  subject: 'Ada invites you\r\nBcc: everybody@example.com',
  paragraphs: ['Come to <The Tower> & ring.'],
  link: { label: 'Accept', url: 'https://carillon.example/invitations/accept?token=t0ken' },
})

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** As much of a mail server as one letter needs; `refusal` is its answer to the recipient. */
async function openMailServer(refusal: string | null = null): Promise<{ url: string; letters: string[] }> {
  const letters: string[] = []
  const server = createServer((socket) => converse(socket, letters, refusal))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closers.push(() => server.close())
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, letters }
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

test('a letter arrives with its link, and a name cannot add a header', async () => {
  const { url, letters } = await openMailServer()
  const mailer = createMailer({ smtpUrl: url, from: 'Carillon <bells@carillon.example>' }, pino({ level: 'silent' }))
  closers.push(() => mailer.close())
  expect(await mailer.send(mail)).toBe('sent')
  const [letter = ''] = letters
  expect(letter).toContain('Subject: Ada invites you Bcc: everybody@example.com')
  expect(letter).not.toMatch(/^Bcc:/m)
  const read = letter.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  expect(read).toContain('href="https://carillon.example/invitations/accept?token=t0ken"')
  expect(read).toContain('&lt;The Tower&gt; &amp; ring.')
})

test('a refusal is an error for whoever sends', async () => {
  const { url } = await openMailServer('550 nobody here')
  const mailer = createMailer({ smtpUrl: url, from: 'bells@carillon.example' }, pino({ level: 'silent' }))
  closers.push(() => mailer.close())
  await expect(mailer.send(mail)).rejects.toThrow('nobody here')
})

test('without a mail server the log has subject and link', async () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) })
  expect(await createMailer(null, log).send(mail)).toBe('not_configured')
  expect(lines.join('')).toContain('accept?token=t0ken')
})
