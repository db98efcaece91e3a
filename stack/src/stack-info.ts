import type { Ceph } from '../services/ceph.ts'

/** What a stack prints about itself: everything a client, a checker or a person needs to use it. */
export type StackInfo = DemoConnections &
  RealServices & {
    baseUrl: string
    apiKey: string
    workspaceId: string
    simulatorUrl: string
    otherApiKey: string
    otherWorkspaceId: string
    webhookHost: string
    webhookTlsCert: string
    webhookTlsKey: string
    databaseUrl: string
    restateIngressUrl: string
    restateAdminUrl: string
    restateIdentityKey: string
    /** Where data and logs are. */
    dir: string
    pids: Record<string, number>
  }

/** The slugs of the connected accounts, by what they are for. */
export type DemoConnections = {
  /** One for each platform; those that accept a post with text alone come first. */
  connections: string[]
  photoConnections: string[]
  videoConnections: string[]
  documentConnections: string[]
  /** Every post on it fails. */
  failConnection: string
  /** Every post on it ends as unconfirmed. */
  unconfirmedConnection: string
  /** Two that a test may disconnect. */
  spareConnections: string[]
  /** The owner of this one also manages pages, so that there is something to choose from. */
  pagesConnection: string
}

/** The real servers that a stack was started with. */
export type RealServices = {
  /** Where media are stored, unless they are in a folder. */
  s3: S3Store | null
  /** Where mail is sent to and can be read, unless it is written to the log. */
  mail: MailServer | null
}

type S3Store = Pick<Ceph, 'region' | 'bucket' | 'accessKey' | 'secretKey'> & { endpoint: string }

/** The mails can be read at `<readUrl>/api/email`. */
type MailServer = { smtpUrl: string; readUrl: string }
