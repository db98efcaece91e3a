import type { Call } from '../../http/call.ts'
import type { Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account } from '../../state/accounts.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { invalidParams, ok } from './errors.ts'

const secondsMax = 600

/** The widest audience is everyone for a public account, and the followers for a private one. */
export function privacyOptionsOf({ handle }: Account): string[] {
  const widest = handle.startsWith('private-') ? 'FOLLOWER_OF_CREATOR' : 'PUBLIC_TO_EVERYONE'
  return [widest, 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY']
}

export function creatorRoutes(context: PlatformContext): Route[] {
  const avatarOf = ({ handle }: Account) => `${context.simulator.url}/avatar/${encodeURIComponent(handle)}.svg`

  const userInfo = ({ query }: Call, { account }: Session): Reply => {
    const asked = (query.get('fields') ?? '').split(',').filter((name) => name !== '')
    if (asked.length === 0) throw invalidParams('The fields parameter is required')
    const all: Record<string, unknown> = {
      open_id: account.id,
      union_id: `union-${account.id}`,
      avatar_url: avatarOf(account),
      display_name: account.handle,
      username: account.handle,
      follower_count: 0,
    }
    return ok({ user: Object.fromEntries(asked.filter((name) => name in all).map((name) => [name, all[name]])) })
  }

  const creatorInfo = (account: Account): Reply =>
    ok({
      creator_avatar_url: avatarOf(account),
      creator_username: account.handle,
      creator_nickname: account.handle,
      privacy_level_options: privacyOptionsOf(account),
      comment_disabled: false,
      duet_disabled: false,
      stitch_disabled: false,
      max_video_post_duration_sec: secondsMax,
    })

  return [
    { method: 'GET', path: '/v2/user/info/', operation: 'account', scope: 'user.info.basic', handle: userInfo },
    {
      method: 'POST',
      path: '/v2/post/publish/creator_info/query/',
      operation: 'stage',
      scope: 'video.publish',
      charges: [{ limit: 'creatorInfo', cost: 1 }],
      handle: (_, { account }) => creatorInfo(account),
    },
  ]
}
