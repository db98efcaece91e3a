import type { AnalyticsSnapshot } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { formatNumber } from '../time/format-number.ts'
import type { Metric } from './analytics-search.ts'

type FigureChartProps = {
  snapshots: readonly AnalyticsSnapshot[]
  metric: Metric
  label: string
  nameDay: (date: string) => string
}

const tick = { fill: 'var(--quiet)', fontSize: 12 }

/** One figure over time. The table below it has the same numbers. */
export function FigureChart({ snapshots, metric, label, nameDay }: FigureChartProps) {
  const { i18n } = useTranslation()
  const compact = (value: number) => formatNumber(value, i18n.language, 'compact')
  return (
    <div className="h-64 w-full">
      <ResponsiveContainer width="100%" height="100%">
        <BarChart data={[...snapshots]} accessibilityLayer title={label} margin={{ top: 8, right: 8, bottom: 0, left: 0 }}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="date"
            tick={tick}
            tickFormatter={nameDay}
            tickLine={false}
            axisLine={{ stroke: 'var(--edge)' }}
            minTickGap={24}
          />
          <YAxis tick={tick} tickFormatter={compact} tickLine={false} axisLine={false} width={44} allowDecimals={false} />
          <Tooltip
            cursor={{ fill: 'var(--hover)' }}
            contentStyle={{ background: 'var(--surface)', border: '1px solid var(--line)', borderRadius: 7, color: 'var(--ink)' }}
            itemStyle={{ color: 'var(--ink)' }}
            labelFormatter={(date) => (typeof date === 'string' ? nameDay(date) : date)}
            formatter={(value) => [formatNumber(Number(value), i18n.language), label]}
          />
          <Bar dataKey={metric} fill="var(--bell)" radius={[3, 3, 0, 0]} maxBarSize={28} isAnimationActive={false} />
        </BarChart>
      </ResponsiveContainer>
    </div>
  )
}
