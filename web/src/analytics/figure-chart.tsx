import { useTranslation } from 'react-i18next'
import { Bar, CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { formatNumber } from '../time/format-number.ts'

type FigureChartProps = {
  /** A period without a value has a gap. */
  points: readonly { date: string; value: number | null }[]
  /** Bars for what was counted in each period; a line for a number that goes up and down, whose axis need not begin at 0. */
  shape?: 'bars' | 'line'
  label: string
  nameDay: (date: string) => string
}

const tick = { fill: 'var(--quiet)', fontSize: 12 }

/** One figure over time. The table below it has the same numbers. */
export function FigureChart({ points, shape = 'bars', label, nameDay }: FigureChartProps) {
  const { i18n } = useTranslation()
  const compact = (value: number) => formatNumber(value, i18n.language, 'compact')
  return (
    <div className="h-64 w-full">
      <ResponsiveContainer width="100%" height="100%">
        <ComposedChart data={[...points]} accessibilityLayer title={label} margin={{ top: 8, right: 8, bottom: 0, left: 0 }}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="date"
            tick={tick}
            tickFormatter={nameDay}
            tickLine={false}
            axisLine={{ stroke: 'var(--edge)' }}
            minTickGap={24}
          />
          <YAxis
            tick={tick}
            tickFormatter={compact}
            tickLine={false}
            axisLine={false}
            width={52}
            allowDecimals={false}
            domain={shape === 'bars' ? [0, 'auto'] : ['auto', 'auto']}
          />
          <Tooltip
            cursor={{ fill: 'var(--hover)' }}
            contentStyle={{ background: 'var(--surface)', border: '1px solid var(--line)', borderRadius: 7, color: 'var(--ink)' }}
            itemStyle={{ color: 'var(--ink)' }}
            labelFormatter={(date) => (typeof date === 'string' ? nameDay(date) : date)}
            formatter={(value) => [formatNumber(Number(value), i18n.language), label]}
          />
          {shape === 'bars' ? (
            <Bar dataKey="value" fill="var(--bell)" radius={[3, 3, 0, 0]} maxBarSize={28} isAnimationActive={false} />
          ) : (
            <Line
              dataKey="value"
              stroke="var(--bell)"
              strokeWidth={2}
              // A day between two gaps has no line.
              dot={{ r: points.length > 45 ? 1 : 2.5, fill: 'var(--bell)' }}
              connectNulls={false}
              isAnimationActive={false}
            />
          )}
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  )
}
