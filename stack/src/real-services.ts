import type { CarillonEnv } from '../services/carillon.ts'
import { startCeph } from '../services/ceph.ts'
import { startMaildev } from '../services/maildev.ts'
import type { ServiceGroup } from './service-group.ts'
import type { RealServices } from './stack-info.ts'

/** Whether to start a real S3 store instead of a media folder, and a real mail server instead of the log. */
export type RealServiceOptions = { s3?: boolean; mail?: boolean }

export async function startRealServices(
  services: ServiceGroup,
  dir: string,
  { s3, mail }: RealServiceOptions,
): Promise<RealServices> {
  const [store, mailServer] = await services.waitForAll([
    s3 === true ? services.startAll('Ceph (S3)', () => startCeph({ dir: `${dir}/ceph` })) : null,
    mail === true ? services.start('maildev (SMTP)', () => startMaildev({ dir: `${dir}/mail` })) : null,
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

/** The server's settings for those that were started. */
export function realServicesEnv({ s3, mail }: RealServices): CarillonEnv {
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
