import type { Connection } from '@carillon/sdk'
import { avatarAddress } from '../api/integrations.ts'
import { MarkedAvatar } from './marked-avatar.tsx'

type AccountAvatarProps = {
  workspaceId: string
  connection: Pick<Connection, 'id' | 'avatarUrl' | 'displayName' | 'platform'>
  /** The simulator draws its pictures as SVG, which the server does not copy. */
  isSimulated: boolean
}

/** The picture of a connected account. */
export function AccountAvatar({ workspaceId, connection, isSimulated }: AccountAvatarProps) {
  const { displayName, platform } = connection
  return <MarkedAvatar name={displayName} src={isSimulated ? null : avatarAddress(workspaceId, connection)} platform={platform} />
}
