import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  Clock,
  EyeOff,
  Hourglass,
  LoaderCircle,
  MessageSquareReply,
  TriangleAlert,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge, type Tone } from '../ui/badge.tsx'
import type { ShownStatus } from './shown-status.ts'

/** The colour and the mark of each status. */
export const statusLooks: Readonly<Record<ShownStatus, { tone: Tone; icon: ReactNode }>> = {
  draft: { tone: 'draft', icon: <CircleDashed aria-hidden /> },
  waiting: { tone: 'bell', icon: <Hourglass aria-hidden /> },
  returned: { tone: 'straw', icon: <MessageSquareReply aria-hidden /> },
  scheduled: { tone: 'dusk', icon: <Clock aria-hidden /> },
  queued: { tone: 'dusk', icon: <Clock aria-hidden /> },
  publishing: { tone: 'bell', icon: <LoaderCircle aria-hidden /> },
  completed: { tone: 'verdigris', icon: <CircleCheck aria-hidden /> },
  partial_failure: { tone: 'straw', icon: <TriangleAlert aria-hidden /> },
  failed: { tone: 'rust', icon: <CircleAlert aria-hidden /> },
  pending: { tone: 'dusk', icon: <Clock aria-hidden /> },
  success: { tone: 'verdigris', icon: <CircleCheck aria-hidden /> },
  only_author: { tone: 'straw', icon: <EyeOff aria-hidden /> },
  unconfirmed: { tone: 'plum', icon: <CircleHelp aria-hidden /> },
  canceled: { tone: 'neutral', icon: <CircleDashed aria-hidden /> },
}

/** The status of a post or of one of its channels: a word, a mark and a colour. */
export function StatusBadge({ status }: { status: ShownStatus }) {
  const { t } = useTranslation('posts')
  const { tone, icon } = statusLooks[status]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`status.${status}`)}
    </Badge>
  )
}
