// Token usage of one request, as the service reported it. Absent numbers stay absent: never 0.

export interface Usage {
  readonly input?: number;
  readonly cached?: number;
  readonly cacheWrite?: number;
  readonly output?: number;
  readonly reasoning?: number;
  readonly total?: number;
}
