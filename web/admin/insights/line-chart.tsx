// Draws lines or bars over days, or over the length of a track. The colors are CSS custom properties, so the chart
// follows the theme. A table shows the same data for people who can't see the chart.
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useColorSchemeChoice } from '../../base/ui/theme/color-scheme.ts'
import styles from './line-chart.module.css'

export interface ChartSeries {
  label: string
  values: readonly number[]
  /** `main` uses the accent color. `before` is a thin dashed line. */
  look: 'main' | 'second' | 'before'
  kind?: 'line' | 'bars'
}

export interface LineChartProps {
  /** Labels of the x axis, one per value. */
  labels: readonly string[]
  /** Heading of the labels in the table, such as 'Day'. */
  rowTitle: string
  series: readonly ChartSeries[]
  format: (value: number) => string
  height?: number
}

export function LineChart({ labels, rowTitle, series, format, height = 220 }: LineChartProps) {
  const host = useRef<HTMLDivElement>(null)
  const scheme = useColorSchemeChoice()
  useEffect(() => {
    const element = host.current
    if (!element) return
    const chart = draw(element, { labels, rowTitle, series, format, height })
    const resizing = new ResizeObserver(([entry]) => {
      if (entry) chart.setSize({ width: Math.floor(entry.contentRect.width), height })
    })
    resizing.observe(element)
    return () => {
      resizing.disconnect()
      chart.destroy()
    }
  }, [labels, rowTitle, series, format, height, scheme])
  return <div ref={host} className={styles.chart} style={{ minHeight: height }} />
}

function draw(element: HTMLElement, props: Required<LineChartProps>): uPlot {
  const tokens = getComputedStyle(element)
  const token = (name: string) => tokens.getPropertyValue(name).trim()
  const { labels, rowTitle, series, format, height } = props
  const font = `12px ${token('--font-text')}`
  const axis = { stroke: token('--text-faint'), font, ticks: { show: false } }
  // Bars are centered on their day, so leave half a day of space on both sides.
  const room = series.some(({ kind }) => kind === 'bars') ? 0.5 : 0
  const options: uPlot.Options = {
    width: Math.max(1, Math.floor(element.clientWidth)),
    height,
    padding: [12, 26, 0, 0],
    legend: { live: true },
    cursor: { y: false, points: { size: 7 } },
    scales: {
      x: { time: false, range: [-room, labels.length - 1 + room] },
      y: { range: (_chart, _min, max) => [0, getAxisMaximum(max)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 64,
        incrs: [1, 2, 5, 7, 10, 14, 20, 30, 50, 60, 90, 120, 180, 365],
        values: (_chart, splits) => splits.map((at) => labels[at] ?? ''),
      },
      {
        ...axis,
        size: 58,
        grid: { stroke: token('--line'), width: 1 },
        values: (_chart, splits) => splits.map((value) => (isDrawable(value) ? format(value) : '')),
      },
    ],
    series: [
      { label: rowTitle, value: (_chart, at) => (at === null ? '–' : (labels[at] ?? '–')) },
      ...series.map((one) => seriesOptions(one, token, format)),
    ],
  }
  const xs = labels.map((_, at) => at)
  return new uPlot(options, [xs, ...series.map(({ values }) => [...values])], element)
}

function seriesOptions(
  { label, look, kind = 'line' }: ChartSeries,
  token: (name: string) => string,
  format: (value: number) => string,
): uPlot.Series {
  const colors = { main: '--accent-text', second: '--info', before: '--text-faint' }
  const stroke = token(colors[look])
  const bars = kind === 'bars' && uPlot.paths.bars?.({ size: [0.7, 40], radius: 0.15 })
  return {
    label,
    stroke,
    width: look === 'before' ? 1.25 : 2,
    points: { show: false },
    value: (_chart, value) => (value === null ? '–' : format(value)),
    ...(look === 'before' && { dash: [4, 4] }),
    ...(look === 'main' && { fill: bars ? stroke : token('--accent-wash') }),
    ...(bars && { paths: bars }),
  }
}

/**
 * Returns whether to label this value on the axis. Only whole numbers are labeled, because the chart counts people or
 * plays.
 */
function isDrawable(value: number): boolean {
  return Number.isInteger(value)
}

/** Returns the upper end of the axis: above the highest value, and at least 4 for a chart of zeros. */
function getAxisMaximum(max: number | null): number {
  return Math.max(4, (max ?? 0) * 1.08)
}
