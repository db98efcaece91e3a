import { join } from 'node:path'
import { root } from './folders.ts'
import { freePorts } from './free-ports.ts'
import { startProgram, type Running } from './process.ts'
import { respondsOk, isListening } from './wait-until.ts'

export type MaildevOptions = { dir: string; smtpPort?: number; webPort?: number }

/** A mail server that accepts every mail and forwards none. The mails can be read at `<url>/api/email`. */
export type Maildev = Running & { smtpUrl: string; url: string }

const program = join(import.meta.dirname, '../node_modules/maildev/dist/bin/maildev.js')
const loopback = '127.0.0.1'

export async function startMaildev({ dir, ...preferred }: MaildevOptions): Promise<Maildev> {
  const [freeSmtp = 0, freeWeb = 0] = await freePorts(2)
  const [smtpPort, webPort] = [preferred.smtpPort ?? freeSmtp, preferred.webPort ?? freeWeb]
  const url = `http://${loopback}:${webPort}`
  const smtp = ['--smtp', String(smtpPort), '--ip', loopback]
  const web = ['--web', String(webPort), '--web-ip', loopback]
  const running = await startProgram({
    name: 'maildev',
    command: process.execPath,
    // By default every maildev of the machine uses the same folder in /tmp.
    args: [program, ...smtp, ...web, '--mail-directory', join(dir, 'mails')],
    cwd: root,
    logFile: join(dir, 'maildev.log'),
    isReady: async () => (await isListening(smtpPort)) && (await respondsOk(`${url}/api/email`)),
  })
  return Object.assign(running, { smtpUrl: `smtp://${loopback}:${smtpPort}`, url })
}
