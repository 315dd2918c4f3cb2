"""Runs of prepared calls on a GPU against float64: prepared_calls.py FOLDER, of the packages of prepared-calls.test."""

import sys
import threading

import stof
import torch

FOLDER = sys.argv[1]
failures, passed = [], 0


def check(what, holds):
    global passed
    passed += bool(holds)
    if not holds:
        failures.append(what)
        print("FAILED", what)


def attention(query, key, value, is_causal):
    scores = query.double() @ key.double().transpose(-1, -2) * 0.125
    if is_causal:
        keep = torch.ones(scores.shape[-2:], dtype=torch.bool, device="cuda").tril()
        scores = scores.masked_fill(~keep, float("-inf"))
    return scores.softmax(-1) @ value.double()


def agrees(result, expected):
    return bool((result.double() - expected).abs().max() < 5e-3)


class Case:
    """A function, its inputs, and what float64 makes of them."""

    def __init__(self, name):
        self.function = stof.load(f"{FOLDER}/{name}").main
        self.name = name

    def inputs(self):
        if self.name == "clusters":
            return [torch.randn(3, 4, device="cuda") for _ in range(2)]
        return [torch.randn(*spec.shape, device="cuda").half() for spec in self.function.inputs]

    def expected(self, tensors):
        if self.name != "clusters":
            return attention(*tensors, self.name == "causal")
        a, b = (tensor.double() for tensor in tensors)
        result = a * 0.5 + b + torch.tensor([10.0, 20, 30, 40], device="cuda")
        result[:2] += 2 * b[1:]
        return result

    def out(self):
        """Memory of NaN, to expose what is not written."""
        shape = (3, 4) if self.name == "clusters" else self.function.results[0].shape
        return torch.full(shape, float("nan"), device="cuda", dtype=torch.float if self.name == "clusters" else torch.half)


def change_addresses(case):
    """Each run has other inputs and results, so that kernels with old addresses or tensor maps would be found out."""
    calls = {"call": case.function, "prepared": case.function.prepare(*case.inputs())}
    for name, call in calls.items():
        kept = []
        for number in range(6):
            tensors, out = case.inputs(), case.out()
            kept.append((tensors, call(*tensors, out=out), out))
            if number % 2:
                kept.append((tensors, call(*tensors), None))
        for number, (tensors, result, out) in enumerate(kept):
            check(f"{case.name}: {name} {number}", agrees(result, case.expected(tensors)))
            check(f"{case.name}: {name} {number} in place", out is None or result is out)
    # One address that changes.
    tensors = case.inputs()
    for number in range(4):
        tensors[-1] = case.inputs()[-1]
        check(f"{case.name}: other last input {number}", agrees(case.function(*tensors), case.expected(tensors)))


def use_streams(case):
    streams = [torch.cuda.Stream() for _ in range(2)]
    tensors = [case.inputs() for _ in streams]
    prepared = case.function.prepare(*tensors[0])
    torch.cuda.synchronize()
    for name, call in (("call", case.function), ("prepared", prepared)):
        results = [[], []]
        for number in range(40):
            # In turn, then in blocks.
            turn = number % 2 if number < 20 else number // 5 % 2
            with torch.cuda.stream(streams[turn]):
                results[turn].append(call(*tensors[turn]))
        torch.cuda.synchronize()
        for turn in range(2):
            expected = case.expected(tensors[turn])
            check(f"{case.name}: {name} on stream {turn}", all(agrees(result, expected) for result in results[turn]))


def use_threads(case, is_shared):
    """Two threads with a stream each, or one for both."""
    tensors = [case.inputs() for _ in range(2)]
    expected = [case.expected(each) for each in tensors]
    prepared = case.function.prepare(*tensors[0])
    streams = [torch.cuda.Stream() for _ in range(2)]
    torch.cuda.synchronize()
    wrong = []

    def work(turn):
        with torch.no_grad(), torch.cuda.stream(streams[0 if is_shared else turn]):
            for call in (case.function, prepared) * 5:
                results = [call(*tensors[turn]) for _ in range(40)]
                torch.cuda.current_stream().synchronize()
                wrong.extend(result for result in results if not agrees(result, expected[turn]))

    threads = [threading.Thread(target=work, args=(turn,)) for turn in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(f"{case.name}: threads on {'one stream' if is_shared else 'two streams'}", not wrong)


def capture_in_torch(case):
    """What torch captures keeps its addresses, whatever runs in between."""
    fixed = case.inputs()
    for name, call in (("call", case.function), ("prepared", case.function.prepare(*fixed))):
        call(*fixed)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            result = call(*fixed)
        for number in range(3):
            for tensor in fixed:
                tensor.normal_()
            others = case.inputs()
            between = [call(*others) for _ in range(3)]
            graph.replay()
            check(f"{case.name}: {name} captured {number}", agrees(result, case.expected(fixed)))
            check(f"{case.name}: {name} between replays", all(agrees(each, case.expected(others)) for each in between))


def capture_meanwhile(case):
    """A call makes its graph in one thread while another captures something else. It needs no workspace, for which torch
    would have no memory meanwhile."""
    function, tensors = stof.load(f"{FOLDER}/{case.name}").main, case.inputs()
    out, other, raised = [case.out() for _ in range(3)], torch.ones(1000, device="cuda"), []
    streams = [torch.cuda.Stream() for _ in range(2)]

    def work():
        with torch.no_grad(), torch.cuda.stream(streams[0]):
            try:
                for each in out:
                    function(*tensors, out=each)
            except stof.DeviceError as error:
                raised.append(str(error))

    with torch.cuda.stream(streams[0]):
        function(*tensors, out=case.out())
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=streams[1]):
        other.mul_(2)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        other.add_(1)
    graph.replay()
    torch.cuda.synchronize()
    check(f"{case.name}: a capture meanwhile {raised}", not raised and bool((other == 3).all()))
    check(f"{case.name}: runs during a capture", all(agrees(each, case.expected(tensors)) for each in out))


def release_at_once(case):
    """A function that is let go of while its runs are pending."""
    tensors = case.inputs()
    function = stof.load(f"{FOLDER}/{case.name}").main
    prepared = function.prepare(*tensors)
    results = [(prepared if number % 2 else function)(*tensors) for number in range(200)]
    del function, prepared
    expected = case.expected(tensors)
    check(f"{case.name}: released while running", all(agrees(result, expected) for result in results))


def refuse(case):
    tensors = case.inputs()
    prepared = case.function.prepare(*tensors)
    wrong = [
        lambda: prepared(*tensors[:1], *[tensor.float() if tensor.dtype != torch.float else tensor.half() for tensor in tensors[1:]]),
        lambda: prepared(*tensors[:1], *[tensor.cpu() for tensor in tensors[1:]]),
        lambda: prepared(*tensors[:1], *[tensor.transpose(-1, -2).contiguous().transpose(-1, -2) for tensor in tensors[1:]]),
        lambda: prepared(tensors[0]),
        lambda: prepared(*tensors, out=case.out().double()),
        lambda: prepared(*tensors, out=case.out().cpu()),
        lambda: case.function(*tensors, out=torch.cat([case.out(), case.out()], -1)[..., ::2]),
        lambda: case.function(*tensors, out=tensors[0]),
        lambda: prepared(*[tensor.requires_grad_() if number == 0 else tensor for number, tensor in enumerate(case.inputs())]),
    ]
    for number, action in enumerate(wrong):
        try:
            action()
            check(f"{case.name}: refusal {number}", False)
        except stof.ArgumentError:
            check(f"{case.name}: refusal {number}", True)
    torch.cuda.synchronize()
    check(f"{case.name}: after refusals", agrees(prepared(*tensors), case.expected(tensors)))


torch.manual_seed(0)
for name in ("causal", "split", "clusters"):
    each = Case(name)
    change_addresses(each)
    use_streams(each)
    use_threads(each, is_shared=False)
    use_threads(each, is_shared=True)
    capture_in_torch(each)
    if name == "causal":
        capture_meanwhile(each)
    release_at_once(each)
    refuse(each)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(bool(failures))
