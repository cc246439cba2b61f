# docker build -t kindred --build-arg TORCH_INDEX=<index of PyTorch's CPU wheels> .
# docker run -p 8000:8000 -v kindred:/state kindred
FROM python:3.11-slim-bookworm AS build
WORKDIR /src
# from PyTorch's own index of CPU wheels torch takes 0.7 GB; the general index may bring gigabytes of CUDA
ARG TORCH_INDEX=
RUN python -m venv /opt/kindred \
 && /opt/kindred/bin/pip install --no-cache-dir ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} torch==2.13.0
COPY pyproject.toml constraints.txt README.md LICENSE config.yaml mappings.yaml research.yaml ./
COPY ingest ingest
COPY features features
COPY models models
COPY service service
COPY evaluation evaluation
RUN /opt/kindred/bin/pip install --no-cache-dir -c constraints.txt .

FROM python:3.11-slim-bookworm
RUN apt-get update && apt-get install -y --no-install-recommends wordnet-base && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --uid 10001 kindred && mkdir /state && chown kindred /state
COPY --from=build /opt/kindred /opt/kindred
ENV PATH=/opt/kindred/bin:$PATH KINDRED_STATE__DIRECTORY=/state KINDRED_SERVICE__HOST=0.0.0.0
USER kindred
VOLUME /state
EXPOSE 8000
# alive, not ready: a new volume has no collection until records are ingested and built in it
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/health/live', timeout=4)"]
CMD ["kindred", "serve"]
