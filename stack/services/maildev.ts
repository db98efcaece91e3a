import { join } from 'node:path'
import { root } from './folders.ts'
import { freePorts } from './free-ports.ts'
import { startProgram, type Running } from './process.ts'
import { answers, isListening } from './wait-until.ts'

export type MaildevOptions = { dir: string; smtpPort?: number; webPort?: number }

/** A mail server that takes every mail and passes none on: what came is read at `<url>/api/email`. */
export type Maildev = Running & { smtpUrl: string; url: string }

const program = join(root, 'stack/node_modules/maildev/dist/bin/maildev.js')
const loopback = '127.0.0.1'

export async function startMaildev({ dir, ...wished }: MaildevOptions): Promise<Maildev> {
  const [freeSmtp = 0, freeWeb = 0] = await freePorts(2)
  const [smtpPort, webPort] = [wished.smtpPort ?? freeSmtp, wished.webPort ?? freeWeb]
  const url = `http://${loopback}:${webPort}`
  const smtp = ['--smtp', String(smtpPort), '--ip', loopback]
  const web = ['--web', String(webPort), '--web-ip', loopback]
  const running = await startProgram({
    name: 'maildev',
    command: process.execPath,
    // Without a folder of its own it would share one in /tmp with every other maildev.
    args: [program, ...smtp, ...web, '--mail-directory', join(dir, 'mails')],
    cwd: root,
    logFile: join(dir, 'maildev.log'),
    isReady: async () => (await isListening(smtpPort)) && (await answers(`${url}/api/email`)),
  })
  return Object.assign(running, { smtpUrl: `smtp://${loopback}:${smtpPort}`, url })
}
