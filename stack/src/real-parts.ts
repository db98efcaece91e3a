import type { CarillonEnv } from '../services/carillon.ts'
import { startCeph, type Ceph } from '../services/ceph.ts'
import { startMaildev } from '../services/maildev.ts'
import type { Parts } from './parts.ts'

export type S3Store = Pick<Ceph, 'region' | 'bucket' | 'accessKey' | 'secretKey'> & { endpoint: string }

/** `readUrl` has what came, at `/api/email`. */
export type MailServer = { smtpUrl: string; readUrl: string }

/** Real servers in place of what a light stack does without: an S3 store for the media folder, a mail server for the log. */
export type RealParts = { s3?: boolean; mail?: boolean }

type Started = { s3: S3Store | null; mail: MailServer | null }

export async function startRealParts(parts: Parts, dir: string, { s3, mail }: RealParts): Promise<Started> {
  const [store, mailServer] = await parts.together([
    s3 === true ? parts.startGroup('Ceph (S3)', () => startCeph({ dir: `${dir}/ceph` })) : null,
    mail === true ? parts.start('maildev (SMTP)', () => startMaildev({ dir: `${dir}/mail` })) : null,
  ])
  return {
    s3: store && {
      endpoint: store.url,
      region: store.region,
      bucket: store.bucket,
      accessKey: store.accessKey,
      secretKey: store.secretKey,
    },
    mail: mailServer && { smtpUrl: mailServer.smtpUrl, readUrl: mailServer.url },
  }
}

/** The server's settings for them; none for what is not there. */
export function realPartsEnv({ s3, mail }: Started): CarillonEnv {
  return {
    ...(s3 && {
      CARILLON_S3_ENDPOINT: s3.endpoint,
      CARILLON_S3_REGION: s3.region,
      CARILLON_S3_BUCKET: s3.bucket,
      CARILLON_S3_ACCESS_KEY: s3.accessKey,
      CARILLON_S3_SECRET_KEY: s3.secretKey,
    }),
    ...(mail && { CARILLON_SMTP_URL: mail.smtpUrl, CARILLON_MAIL_FROM: 'Carillon <bells@carillon.example>' }),
  }
}
