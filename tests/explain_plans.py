"""The plan of a query, as the command `explain` of a store describes it."""


def stages(explained):
    """List the stages of the winning plan, the outer ones first.

    MongoDB nests them in `inputStage`, `inputStages` or `thenStage`; its newer engine puts
    the plan into `queryPlan`, and a sharded cluster one plan for each shard.
    """
    plan = explained["queryPlanner"]["winningPlan"]
    return list(_stages(plan))


def _stages(plan):
    if "stage" in plan:
        yield plan["stage"]
    for name in ("queryPlan", "inputStage", "outerStage", "innerStage", "thenStage"):
        if name in plan:
            yield from _stages(plan[name])
    for inner in plan.get("inputStages", ()):
        yield from _stages(inner)
    for shard in plan.get("shards", ()):
        yield from _stages(shard["winningPlan"])
