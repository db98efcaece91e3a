import type { Connection } from '@carillon/sdk'
import { avatarAddress } from '../api/integrations.ts'
import { Avatar } from '../ui/avatar.tsx'
import { PlatformMark } from './platform-mark.tsx'

type AccountAvatarProps = {
  workspaceId: string
  connection: Pick<Connection, 'id' | 'avatarUrl' | 'displayName' | 'platform'>
  /** The simulator draws its pictures as SVG, which the server does not copy. */
  isSimulated: boolean
}

/** The picture of an account with the mark of its platform. Both are named in the text beside it. */
export function AccountAvatar({ workspaceId, connection, isSimulated }: AccountAvatarProps) {
  return (
    <span className="relative inline-flex shrink-0">
      <Avatar name={connection.displayName} src={isSimulated ? null : avatarAddress(workspaceId, connection)} size="lg" />
      <span className="absolute -right-1.5 -bottom-1 flex size-6 items-center justify-center rounded-full border border-line bg-surface text-quiet">
        <PlatformMark platform={connection.platform} className="size-3.5" />
      </span>
    </span>
  )
}
