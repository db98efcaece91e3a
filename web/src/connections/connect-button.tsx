import type { Connection, PlatformInfo } from '@carillon/sdk'
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { describeError } from '../errors/describe-error.ts'
import { Button, type ButtonProps } from '../ui/button.tsx'
import { showToast } from '../ui/overlay/show-toast.ts'
import { useStartConnect } from './use-start-connect.ts'

const ConnectDialog = lazy(async () => ({ default: (await import('./connect-dialog.tsx')).ConnectDialog }))

type ConnectButtonProps = Pick<ButtonProps, 'variant' | 'size' | 'icon'> & {
  info: PlatformInfo
  /** The connection to renew; without it a new account is added. */
  connection?: Connection
  children: ReactNode
}

/** Connects an account, or connects it again. Asks first for what the platform needs: a server, or the fields of an app password. */
export function ConnectButton({ info, connection, children, ...looks }: ConnectButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { mutate, isPending, isSuccess, error } = useStartConnect()
  const { t } = useTranslation('errors')
  const { method, instance } = info.connect
  const isAsking = method === 'password' || (instance !== 'none' && !connection)
  useEffect(() => {
    if (!error) return
    const { title, sentence } = describeError(error, t)
    showToast({ kind: 'failed', title, description: sentence })
  }, [error, t])
  const connect = () => {
    if (isAsking) return setIsOpen(true)
    mutate({
      platform: info.platform,
      ...(connection && { connectionId: connection.id }),
      ...(connection?.instanceUrl && { instanceUrl: connection.instanceUrl }),
    })
  }
  return (
    <>
      {/* It stays busy until the browser has left the page. */}
      <Button {...looks} isBusy={isPending || isSuccess} onClick={connect}>
        {children}
      </Button>
      {isOpen && (
        <Suspense>
          <ConnectDialog info={info} {...(connection && { connection })} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
