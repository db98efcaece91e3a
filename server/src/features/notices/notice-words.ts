import { channelErrors, type ChannelErrorCode, type EventName, type NoticeKind } from '@carillon/contract'

/** What is needed to say what happened, in mails and chats. */
export type ToldNotice = {
  workspaceId: string
  workspace: string
  id: string
  kind: NoticeKind | 'event'
  event: EventName | null
  count: number
  code: string | null
  connectionId: string | null
  /** The account, as people know it. */
  account: string | null
  statusReason: string | null
  postId: string | null
  person: string | null
  waiting: number
  expiresAt: Date | null
  firstAt: Date
  told: number
}

/** What happened, what to do, and the page where it is done. */
export type NoticeWords = { title: string; todo: string; path: string }

export function wordsOf(notice: ToldNotice): NoticeWords {
  const { kind, count, code, person, waiting, expiresAt, told, postId } = notice
  const account = notice.account ?? 'an account'
  const posts = count === 1 ? '1 post' : `${count} posts`
  const postPath = postId && count === 1 ? `/posts/${postId}` : null
  const wait = waiting === 0 ? '' : ` ${waiting === 1 ? '1 post waits' : `${waiting} posts wait`} for it.`
  const who = person ?? 'Somebody'
  switch (kind) {
    case 'posts_failed':
      return {
        title: `${posts} on ${account} failed`,
        todo: `${messageOf(code)} ${todoOf(code)}`.trim(),
        path: needsAccount(code) ? '/integrations' : (postPath ?? '/posts?status=failed,partial_failure'),
      }
    case 'posts_unconfirmed':
      return {
        title: `${posts} on ${account} may or may not be published`,
        todo: 'The platform did not say. Look there, and then tell Carillon what you found.',
        path: postPath ?? '/posts?status=failed,partial_failure',
      }
    case 'posts_late':
      return {
        title: count === 1 ? '1 post is late' : `${count} posts are late`,
        todo: 'They are sent as soon as possible. If this lasts, ask whoever runs this installation.',
        path: postPath ?? '/posts?status=scheduled,queued,publishing',
      }
    case 'needs_reconnect':
      return {
        title: told === 0 ? `${account} must be connected again` : `${account} still must be connected again`,
        todo: `Nothing is published there until then.${wait}`,
        path: '/integrations',
      }
    case 'expiring':
      return {
        title: `The permission of ${account} ends${expiresAt ? ` on ${expiresAt.toISOString().slice(0, 10)}` : ' soon'}`,
        todo: `Connect the account again before then.${wait}`,
        path: '/integrations',
      }
    case 'approval_asked':
      return {
        title: count === 1 ? `${who} asks you to approve a post` : `${who} asks you to approve ${count} posts`,
        todo: 'Approve it, or say what must change.',
        path: postPath ?? '/posts?approval=pending',
      }
    case 'approved':
      return {
        title: count === 1 ? `${who} approved your post` : `${who} approved ${count} of your posts`,
        todo: 'There is nothing to do.',
        path: postPath ?? '/posts',
      }
    case 'changes_requested':
      return {
        title: count === 1 ? `${who} asks for changes to your post` : `${who} asks for changes to ${count} of your posts`,
        todo: 'Change the post and submit it again.',
        path: postPath ?? '/posts?status=draft',
      }
    case 'event':
      return { title: eventTitle(notice), todo: '', path: postPath ?? '/posts' }
  }
}

function messageOf(code: string | null): string {
  return isChannelError(code) ? channelErrors[code].message : ''
}

function needsAccount(code: string | null): boolean {
  return isChannelError(code) && channelErrors[code].action === 'reconnect'
}

function todoOf(code: string | null): string {
  return needsAccount(code) ? 'Connect the account again, and then try the posts again.' : 'Look at the posts and try them again.'
}

function isChannelError(code: string | null): code is ChannelErrorCode {
  return code !== null && Object.hasOwn(channelErrors, code)
}

/** What a chat that asked for it is told of an event that needs nobody. */
function eventTitle({ event, count, account }: ToldNotice): string {
  const posts = count === 1 ? '1 post' : `${count} posts`
  switch (event) {
    case 'upload.completed':
      return `${posts} published everywhere`
    case 'upload.partial_failure':
      return `${posts} published on some accounts only`
    case 'upload.failed':
      return `${posts} failed`
    case 'upload.scheduled':
      return `${posts} scheduled`
    case 'upload.publishing':
      return `${posts} being published`
    case 'channel.published':
      return `${posts} published on ${account ?? 'an account'}`
    case 'workspace.restored':
      return 'The database was restored from a backup'
    case 'webhook.test':
      return 'This is a test. Notices of Carillon will reach this chat.'
    case 'content.approved':
      return `${posts} approved`
    case 'content.changes_requested':
      return `Changes requested to ${posts}`
    default:
      return event ?? 'Something happened'
  }
}
