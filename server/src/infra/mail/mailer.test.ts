import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { createLog } from '../log/create-log.ts'
import { composeMail } from './queue-mail.ts'
import { MailRefused, createMailer } from './mailer.ts'
import { openMailServer } from './smtp.fixture.ts'

const mail = composeMail({
  to: 'ben@tower.example',
  subject: 'Ada invites you\r\nBcc: everybody@example.com',
  paragraphs: ['Come to <The Tower> & ring.', 'A name\r\n\r\nof two lines'],
  link: { label: 'Accept', url: 'https://carillon.example/invitations/accept?token=t0ken' },
  operator: { name: 'Tower <Media>', contact: 'help@tower.example' },
})

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function open(refusal?: string) {
  const server = await openMailServer(refusal)
  const mailer = createMailer({ smtpUrl: server.url, from: 'Carillon <bells@carillon.example>' }, pino({ level: 'silent' }))
  closers.push(server.close, () => mailer.close())
  return { mailer, mails: server.mails }
}

test('a mail arrives with its link, and a name cannot add a header', async () => {
  const { mailer, mails } = await open()
  expect(await mailer.send(mail)).toBe('sent')
  const [received = ''] = mails
  expect(received).toContain('Subject: Ada invites you Bcc: everybody@example.com')
  expect(received).not.toMatch(/^Bcc:/m)
  const decoded = received.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  expect(decoded).toContain('href="https://carillon.example/invitations/accept?token=t0ken"')
  expect(decoded).toContain('&lt;The Tower&gt; &amp; ring.')
  expect(decoded).toContain('A name of two lines')
  expect(decoded).toContain('<p>Tower &lt;Media&gt; =C2=B7 help@tower.example</p>')
})

test.each([
  ['550 no such mailbox', MailRefused],
  ['451 try again later', Error],
])('the SMTP answer %s becomes an error', async (answer, kind) => {
  const { mailer } = await open(answer)
  const failure: unknown = await mailer.send(mail).catch((error: unknown) => error)
  expect(failure).toMatchObject({ message: expect.stringContaining(answer), constructor: kind })
})

test('a mail server that is down is not a rejection', async () => {
  const { url, close } = await openMailServer()
  close()
  const mailer = createMailer({ smtpUrl: url, from: 'bells@carillon.example' }, pino({ level: 'silent' }))
  closers.push(() => mailer.close())
  await expect(mailer.send(mail)).rejects.not.toThrow(MailRefused)
})

test('guarantee: without a mail server the log of the service contains the subject and the whole link', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  expect(await createMailer(null, log).send(mail)).toBe('not_configured')
  expect(lines.join('')).toContain('accept?token=t0ken')
})
