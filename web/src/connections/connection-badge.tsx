import type { Connection } from '@carillon/sdk'
import { CircleAlert, CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge, type Tone } from '../ui/badge.tsx'

const looks: Readonly<Record<Connection['status'], { tone: Tone; icon: ReactNode }>> = {
  active: { tone: 'verdigris', icon: <CircleCheck aria-hidden /> },
  expiring: { tone: 'straw', icon: <TriangleAlert aria-hidden /> },
  needs_reconnect: { tone: 'rust', icon: <CircleAlert aria-hidden /> },
  disconnected: { tone: 'neutral', icon: <CircleDashed aria-hidden /> },
}

/** The state of a connection: a word, a mark and a colour. */
export function ConnectionBadge({ status }: { status: Connection['status'] }) {
  const { t } = useTranslation('connections')
  const { tone, icon } = looks[status]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`status.${status}`)}
    </Badge>
  )
}
