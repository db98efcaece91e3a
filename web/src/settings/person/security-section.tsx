import { useQuery } from '@tanstack/react-query'
import { hasPassword } from '../../api/account.ts'
import { ActivityGroup } from './activity-group.tsx'
import { EraseGroup } from './erase-group.tsx'
import { PasskeysGroup } from './passkeys-group.tsx'
import { PasswordGroup } from './password-group.tsx'
import { SessionsGroup } from './sessions-group.tsx'
import { TwoFactorGroup } from './two-factor-group.tsx'

export function SecuritySection() {
  const { data: withPassword = true } = useQuery(hasPassword())
  return (
    <>
      {withPassword && <PasswordGroup />}
      {withPassword && <TwoFactorGroup />}
      <PasskeysGroup needsPassword={withPassword} />
      <SessionsGroup />
      <ActivityGroup />
      <EraseGroup needsPassword={withPassword} />
    </>
  )
}
