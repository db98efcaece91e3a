import { createTransport } from 'nodemailer'
import type { MailConfig } from '../../config.ts'

const limits = { connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 5000 }

/** Connects, encrypts and logs in as for a mail, without sending one. Returns what went wrong, or null. */
export async function verifyMailServer({ smtpUrl }: Pick<MailConfig, 'smtpUrl'>): Promise<string | null> {
  const transport = createTransport({ url: smtpUrl, ...limits })
  try {
    await transport.verify()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    transport.close()
  }
}
