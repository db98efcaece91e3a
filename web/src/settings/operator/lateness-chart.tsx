import { useTranslation } from 'react-i18next'
import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import type { HourOfSends } from '../../api/operator.ts'
import { formatDuration } from '../../time/format-number.ts'

type LatenessChartProps = { hours: readonly HourOfSends[]; nameHour: (at: string) => string }

const tick = { fill: 'var(--quiet)', fontSize: 12 }

/** Recharts writes names in the colour of their bars, which is too faint for text. */
function writeName(name: unknown) {
  return <span className="text-sm text-quiet">{String(name)}</span>
}

/** Half of the sends, and nearly all of them, began within these times. */
export function LatenessChart({ hours, nameHour }: LatenessChartProps) {
  const { t, i18n } = useTranslation('operator')
  const ticks = roundTicks(Math.max(0, ...hours.map(({ p95 }) => p95 ?? 0)))
  const time = (seconds: number) => formatDuration(seconds, i18n.language)
  return (
    <div className="h-56 w-full">
      <ResponsiveContainer width="100%" height="100%">
        <BarChart
          data={[...hours]}
          accessibilityLayer
          title={t('late.title')}
          margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
          barGap={1}
        >
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="at"
            tick={tick}
            tickFormatter={nameHour}
            tickLine={false}
            axisLine={{ stroke: 'var(--edge)' }}
            minTickGap={24}
          />
          <YAxis
            tick={tick}
            ticks={ticks}
            domain={[0, ticks.at(-1) ?? 1]}
            tickFormatter={time}
            tickLine={false}
            axisLine={false}
            width={64}
          />
          <Tooltip
            cursor={{ fill: 'var(--hover)' }}
            contentStyle={{ background: 'var(--surface)', border: '1px solid var(--line)', borderRadius: 7, color: 'var(--ink)' }}
            itemStyle={{ color: 'var(--ink)' }}
            labelFormatter={(at) => (typeof at === 'string' ? nameHour(at) : at)}
            formatter={(value, name) => [time(Number(value)), name]}
          />
          <Legend verticalAlign="top" align="right" iconType="square" iconSize={10} formatter={writeName} />
          <Bar
            dataKey="median"
            name={t('late.median')}
            fill="var(--edge)"
            radius={[2, 2, 0, 0]}
            maxBarSize={12}
            isAnimationActive={false}
          />
          <Bar
            dataKey="p95"
            name={t('late.p95')}
            fill="var(--bell)"
            radius={[2, 2, 0, 0]}
            maxBarSize={12}
            isAnimationActive={false}
          />
        </BarChart>
      </ResponsiveContainer>
    </div>
  )
}

const stepsMax = 5

/** The marks of an axis of seconds: from 0 to at least `max`, in steps that are round numbers of seconds, minutes or hours. */
export function roundTicks(max: number): number[] {
  if (max <= 0) return [0, 1]
  const unit = max >= 7200 ? 3600 : max >= 120 ? 60 : 1
  const least = max / unit / stepsMax
  const power = 10 ** Math.floor(Math.log10(least))
  const step = ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power
  // Multiples of a fraction such as 0.2 have digits at their end that are not meant.
  return Array.from({ length: Math.ceil(max / unit / step) + 1 }, (_, at) => Number((at * step * unit).toPrecision(6)))
}
